"""The road of tool calls, on the real process: consent, the guard, undo."""
