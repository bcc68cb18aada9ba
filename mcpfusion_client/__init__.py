"""Typed errors and bounded, safe retries for MCP tool calls."""
