"""Git Sidecar: the git backend of an editor's AI features."""

__version__ = "0.1.0"
