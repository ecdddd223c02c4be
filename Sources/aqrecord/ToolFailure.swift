import ToolSupport

/// Why the tool ends, with what it then returns.
struct ToolFailure: Error, Equatable {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
