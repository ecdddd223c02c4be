import CRealTime
import Glibc

/// Starts a detached thread of a device, with a name that debuggers show and a small stack.
///
/// - Parameter body: What the thread does; it ends when this returns.
func startDeviceThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
    final class Box: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, 256 * 1024)
    var thread = pthread_t()
    // SAFETY: the box is retained here and released by the thread, once each.
    let box = unsafe Unmanaged.passRetained(Box(name: name, body: body)).toOpaque()
    let status = unsafe pthread_create(
        &thread, &attributes,
        { context in
            guard let context = unsafe context else { return nil }
            let box = unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
            unsafe box.name.withCString { unsafe aq_name_thread($0) }
            box.body()
            return nil
        }, box)
    if status != 0 { unsafe Unmanaged<Box>.fromOpaque(box).release() }
    return status == 0
}
