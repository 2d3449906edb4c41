"""Phase 2: deciding on every input and turning the decisions into a plan."""
