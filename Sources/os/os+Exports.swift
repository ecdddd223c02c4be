/// `os_unfair_lock` and its functions, which programs import this module for, too.
@_exported public import CPortability
