PY ?= python3
