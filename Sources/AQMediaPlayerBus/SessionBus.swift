// SPDX-License-Identifier: MIT

import Glibc

/// The message bus of the user's session.
public enum SessionBus {
    /// The address of the bus; nil if there is none. No connection is made.
    ///
    /// It is DBUS_SESSION_BUS_ADDRESS, or the socket `bus` in XDG_RUNTIME_DIR if that variable is not set. An empty
    /// value of the variable means that there is no bus.
    public static var address: String? { address(environment: variable) }

    /// A variable of the environment; nil in a program that runs for another user, which must not trust its caller.
    static func variable(_ name: String) -> String? {
        guard getuid() == geteuid(), getgid() == getegid(), let value = unsafe getenv(name) else {
            return nil
        }
        return unsafe String(cString: value)
    }

    static func address(environment: (String) -> String?) -> String? {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS") {
            // libdbus would run a program that starts a bus.
            return address.isEmpty || address.hasPrefix("autolaunch:") ? nil : address
        }
        guard let folder = environment("XDG_RUNTIME_DIR"), !folder.isEmpty else { return nil }
        let path = folder + "/bus"
        guard unsafe access(path, R_OK | W_OK) == 0 else { return nil }
        return "unix:path=" + escaped(path)
    }

    /// A value of an address (D-Bus specification, "Server Addresses").
    private static func escaped(_ value: String) -> String {
        PercentEncoding.encoded(value.utf8, keeping: "-_/.\\*")
    }
}
