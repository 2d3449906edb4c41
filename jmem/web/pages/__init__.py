"""The pages: each function answers one request with what the application row knows."""
