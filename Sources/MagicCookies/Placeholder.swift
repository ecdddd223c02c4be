// Replaced by the module's types.
