"""The invariants of docs/architecture.md, each held by a test."""
