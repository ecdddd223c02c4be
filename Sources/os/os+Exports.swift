/// `os_unfair_lock` and its functions, for which programs also import this module.
@_exported public import CPortability
