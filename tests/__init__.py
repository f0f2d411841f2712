"""The tests of Git Sidecar."""
