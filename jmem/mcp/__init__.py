"""The MCP server: memory as tools of any client that speaks the Model Context Protocol on stdio."""
