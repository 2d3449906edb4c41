"""Phase 1: one summary for each ended session."""
