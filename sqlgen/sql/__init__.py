"""SQL as text: rendering with quoting, types, and users' own expressions."""
