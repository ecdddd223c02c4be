import Testing

@testable import aqrecord
