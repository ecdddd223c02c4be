import Foundation

/// Writes a line to standard output at once, also where that is a file: runs take long.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
