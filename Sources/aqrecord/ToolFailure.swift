import ToolSupport

/// The reason why the tool ends, with its exit status.
struct ToolFailure: Error, Equatable {
    var status: ExitStatus
    var message: String

    init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }
}
