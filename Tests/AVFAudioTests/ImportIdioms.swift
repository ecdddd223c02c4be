// SPDX-License-Identifier: MIT

/// Common code around the audio functions. NUMBER is replaced by the number of the file.
enum ImportIdioms {
    static let text = """
        final class PlayerNUMBER { var n = 0 }
        func idiomNUMBER(_ url: URL, _ text: String, _ player: PlayerNUMBER) throws {
            let a = url as CFURL
            let b: CFURL = url as NSURL
            let c = text as CFString
            let c2 = "text" as CFString
            var id: AudioFileID?
            _ = AudioFileOpenURL(url as CFURL, .readPermission, 0, &id)
            var file: ExtAudioFileRef?
            _ = ExtAudioFileOpenURL(url as CFURL, &file)
            let main: CFRunLoop? = CFRunLoopGetMain()
            let mode = CFRunLoopMode.commonModes.rawValue
            let mode2 = CFRunLoopMode.defaultMode
            let mode3 = kCFRunLoopCommonModes
            let utf8 = kCFStringEncodingUTF8
            let utf8b = CFStringBuiltInEncodings.UTF8.rawValue
            let p = Unmanaged.passUnretained(player).toOpaque()
            _ = Unmanaged<PlayerNUMBER>.fromOpaque(p).takeUnretainedValue().n
            let dict: CFDictionary = [kAFInfoDictionary_Title: "x"] as CFDictionary
            let dict2 = ["a": 1] as [String: Any] as CFDictionary
            let nums = [1, 2] as CFArray
            let data = Data() as CFData
            _ = CFStringCreateWithCString(nil, "x", kCFStringEncodingUTF8)
            _ = CFStringCreateWithCString(kCFAllocatorDefault, "x", CFStringBuiltInEncodings.UTF8.rawValue)
            print(a, b, c, c2, main as Any, mode, mode2 as Any, mode3 as Any, utf8, utf8b, dict, dict2, nums, data)
            let r = (M_PI, M_PI_2, FLT_MAX, DBL_MAX, FLT_EPSILON, M_SQRT2, LDBL_MAX)
            print(r)
        }

        func moreNUMBER(_ url: URL, _ text: String, _ cf: CFURL, _ s: CFString, _ d: CFDictionary) throws {
            let u1 = CFURLCreateWithFileSystemPath(kCFAllocatorDefault, text as CFString, .cfurlposixPathStyle, false)
            let u2 = CFURLCreateWithFileSystemPath(nil, text as CFString, CFURLPathStyle(rawValue: 0)!, false)!
            let u3 = CFURLCreateFromFileSystemRepresentation(nil, text, text.utf8.count, false)!
            let u4 = CFURLCreateWithString(nil, text as CFString, nil)
            var id: AudioFileID?
            _ = AudioFileOpenURL(u2, .readPermission, 0, &id)
            _ = AudioFileOpenURL(u3, .readPermission, 0, &id)
            print(u1 as Any, u4 as Any)
            let n = CFStringGetLength(s)
            let n2 = CFStringGetLength("abc" as CFString)
            print(n, n2, s as String, cf as URL, String(s), (d as NSDictionary), d as! [String: Any])
            print(CFDictionaryGetCount(d), CFURLGetString(cf)!, CFURLCopyLastPathComponent(cf)!)
            CFShow(s)
            print(CFGetTypeID(s), CFStringGetTypeID())
            let e = CFStringCompare(s, "a" as CFString, [])
            print(e)
            let r: CFTypeRef = s
            print(r, CFEqual(s, s))
            let x = CFArrayGetCount([1] as CFArray)
            let y = CFDataGetLength(Data() as CFData)
            let no = kCFBooleanTrue
            print(x, y, no as Any)
            let name: CFString = "a" as NSString
            CFRunLoopRunInMode(.defaultMode, 0.1, false)
            CFRunLoopRunInMode(CFRunLoopMode.defaultMode, 0.1, false)
            CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0.1, false)
            print(name)
            let t = CFRunLoopTimerCreateWithHandler(nil, CFAbsoluteTimeGetCurrent(), 1, 0, 0) { _ in }
            CFRunLoopAddTimer(CFRunLoopGetMain(), t, .commonModes)
            CFRunLoopPerformBlock(CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue) { }
            var uid: CFString = "" as CFString
            var uid2: CFString? = nil
            var uid3: Unmanaged<CFString>? = nil
            var size = UInt32(MemoryLayout<CFString>.size)
            var addr = AudioObjectPropertyAddress(mSelector: kAudioObjectPropertyName, mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
            _ = AudioObjectGetPropertyData(1, &addr, 0, nil, &size, &uid)
            _ = AudioObjectGetPropertyData(1, &addr, 0, nil, &size, &uid2)
            _ = AudioObjectGetPropertyData(1, &addr, 0, nil, &size, &uid3)
            print(uid as String, uid2 as Any, uid3?.takeRetainedValue() as String? as Any)

            // Results of the functions as the types that programs write.
            let named: CFURL = CFURLCreateWithFileSystemPath(nil, "/a" as CFString, .cfurlposixPathStyle, false)
            let copied: CFString = CFStringCreateWithCString(nil, "a", kCFStringEncodingUTF8)
            let path = CFURLCopyFileSystemPath(named, .cfurlposixPathStyle) as String
            var characters = [CChar](repeating: 0, count: 64)
            print(CFStringGetCString(copied, &characters, 64, kCFStringEncodingUTF8), path)
            let key = "title" as CFString
            print(CFDictionaryGetValue(d, Unmanaged.passUnretained(key).toOpaque()) as Any)
            print(d[kAFInfoDictionary_Title as NSString] as Any)
        }

        func memoryNUMBER(_ list: UnsafeMutablePointer<AudioBufferList>, _ source: UnsafeMutablePointer<Float>) {
            memcpy(list.pointee.mBuffers.mData, source, 4)
            memmove(list.pointee.mBuffers.mData, source, 4)
            memset(list.pointee.mBuffers.mData, 0, 4)
            memcpy(list.pointee.mBuffers.mData!, source, 4)
            var floats = [Float](repeating: 0, count: 4)
            memcpy(&floats, list.pointee.mBuffers.mData, 4)
            memset(&floats, 0, 4)
            print(memcmp(list.pointee.mBuffers.mData, source, 4), floats)
        }
        """
}
