// SPDX-License-Identifier: MIT

import Foundation

// COMPAT: programs pass objects for `%@` of `String(format:)`, `NSLog` and `os_log`. On Apple's systems every `NSObject`
// is such an argument. Here Foundation makes only its strings arguments, so each class declares it.

extension NSObject {
    /// The text of the object as an argument. It lives as long as the list of arguments.
    fileprivate var formatArgument: any CVarArg { NSString(string: description) }
}

extension AVAudioTime: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}

extension AVAudioFormat: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}

extension AVAudioChannelLayout: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}

extension AVAudioBuffer: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}

extension AVAudioNode: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}

extension AVAudioSessionPortDescription: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}

extension AVAudioSessionRouteDescription: CVarArg, _CVarArgObject {
    public var _cVarArgObject: any CVarArg { formatArgument }
    public var _cVarArgEncoding: [Int] { formatArgument._cVarArgEncoding }
}
