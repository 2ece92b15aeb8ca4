"""What pages are built of: mounted parts, charts, tables, fields, the training bar."""
