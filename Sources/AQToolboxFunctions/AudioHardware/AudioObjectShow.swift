// SPDX-License-Identifier: MIT

public import CAQAudioToolbox
import CoreAudioTypes

/// Prints an object and its properties on standard output, for debugging.
///
/// May be called from any thread; queries the server, and waits for its answer. For a number without an
/// object the function prints that there is none.
@_cdecl("AudioObjectShow")
public func audioObjectShow(_ objectID: AudioObjectID) {
    // Through the C stream, so that the lines are in order with the program's own output.
    print(Hardware.shared.description(ofObjectNumbered: objectID), terminator: "")
}

extension Hardware {
    /// A line on the object, and a line on each of its properties.
    func description(ofObjectNumbered objectID: AudioObjectID) -> String {
        guard let object = objects.object(numbered: objectID) else {
            return "AudioObject \(objectID): no such object\n"
        }
        let selectors: [AudioObjectPropertySelector] =
            switch object {
            case .system: SystemProperties.all.map(\.selector)
            case .device: DeviceProperties.all.map(\.selector)
            case .stream: StreamProperties.all.map(\.selector)
            }
        var lines = ["AudioObject \(objectID): \(Hardware.name(of: object))"]
        for selector in selectors {
            let address = AudioObjectPropertyAddress(
                mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal,
                mElement: kAudioObjectPropertyElementMain)
            do throws(StatusError) {
                let answer = try value(of: address, of: object)
                lines.append("    \(FourCharacterCode(rawValue: selector)): \(description(of: answer))")
            } catch {
                // A property that has no value at present is not printed.
                continue
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func name(of object: HardwareObject) -> String {
        switch object {
        case .system: "the system"
        case .device(let uid): "device \(uid)"
        case .stream(let uid, .output): "output stream of \(uid)"
        case .stream(let uid, .input): "input stream of \(uid)"
        }
    }

    private func description(of value: HardwareValue) -> String {
        switch value {
        case .number(let number): "\(number)"
        case .numbers(let numbers): numbers.map { "\($0)" }.joined(separator: ", ")
        case .real(let number): "\(number)"
        case .single(let number): "\(number)"
        case .range(let least, let most): "\(least) to \(most)"
        case .format(let channels, let sampleRate): "\(channels) channels at \(sampleRate) Hz"
        case .singleValueRanges(let values): values.map { "\($0)" }.joined(separator: ", ")
        case .text(let text): "\"\(text)\""
        case .object(let object): "\(object.map { objects.number(of: $0) } ?? kAudioObjectUnknown)"
        case .objects(let list): list.map { "\(objects.number(of: $0))" }.joined(separator: ", ")
        case .bufferList(let channels): "channels: " + channels.map { "\($0)" }.joined(separator: ", ")
        case .null: "NULL"
        }
    }
}
