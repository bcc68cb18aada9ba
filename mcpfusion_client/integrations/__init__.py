"""One file per thing that belongs to somebody else; nothing here loads another."""
