// Who measures sound also runs tools and waits for what they do.
@_exported public import TestSupport
