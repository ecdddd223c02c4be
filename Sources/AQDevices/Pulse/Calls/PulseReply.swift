// SPDX-License-Identifier: MIT

import CAQPulse
import Glibc

/// The callback for a server's answer, as libpulse's user data. Kept by its ``PulseOperation``.
final class PulseReply {
    private var answer: ((PulseAnswer) -> Void)?
    private var devices: [PulseDeviceDescription] = []
    private var clients: [UInt32] = []
    private var modules: [PulseModule] = []

    private init(_ answer: @escaping (PulseAnswer) -> Void) { self.answer = answer }

    /// Asks a context, and calls `answer` once, unless cancelled.
    static func ask(
        _ question: PulseQuestion, of context: OpaquePointer, _ answer: @escaping (PulseAnswer) -> Void
    ) -> PulseOperation? {
        let reply = PulseReply(answer)
        let target = unsafe Unmanaged.passUnretained(reply).toOpaque()
        let operation =
            switch question {
            case .server: unsafe pa_context_get_server_info(context, onServer, target)
            case .sinks: unsafe pa_context_get_sink_info_list(context, onSink, target)
            case .sources: unsafe pa_context_get_source_info_list(context, onSource, target)
            case .sink(let name): unsafe pa_context_get_sink_info_by_name(context, name, onSink, target)
            case .source(let name): unsafe pa_context_get_source_info_by_name(context, name, onSource, target)
            case .sinkAt(let index): unsafe pa_context_get_sink_info_by_index(context, index, onSink, target)
            case .sourceAt(let index):
                unsafe pa_context_get_source_info_by_index(context, index, onSource, target)
            case .setVolumes(let isSink, let name, let volumes):
                unsafe setVolumes(volumes, ofSink: isSink, name, context, target)
            case .setMuted(true, let name, let isMuted):
                unsafe pa_context_set_sink_mute_by_name(context, name, isMuted ? 1 : 0, onDone, target)
            case .setMuted(false, let name, let isMuted):
                unsafe pa_context_set_source_mute_by_name(context, name, isMuted ? 1 : 0, onDone, target)
            case .isMuted(let index):
                unsafe pa_context_get_sink_input_info(context, index, onStream, target)
            case .setStreamMuted(let index, let isMuted):
                unsafe pa_context_set_sink_input_mute(context, index, isMuted ? 1 : 0, onDone, target)
            case .clients: unsafe pa_context_get_client_info_list(context, onClient, target)
            case .modules: unsafe pa_context_get_module_info_list(context, onModuleInfo, target)
            case .loadModule(let name, let arguments):
                unsafe pa_context_load_module(context, name, arguments, onModule, target)
            }
        return unsafe operation.map { unsafe PulseOperation(.libpulse($0), keeping: reply) }
    }

    private static func setVolumes(
        _ volumes: [Double], ofSink isSink: Bool, _ name: String, _ context: OpaquePointer,
        _ target: UnsafeMutableRawPointer
    ) -> OpaquePointer? {
        var volumes = pa_cvolume(channelVolumes: volumes)
        return unsafe isSink
            ? pa_context_set_sink_volume_by_name(context, name, &volumes, onDone, target)
            : pa_context_set_source_volume_by_name(context, name, &volumes, onDone, target)
    }

    private static let onDone: pa_context_success_cb_t = { context, success, target in
        let reply = unsafe from(target)
        if success != 0 { reply?.finish(.done) } else { unsafe reply?.fail(context) }
    }

    private static let onServer: pa_server_info_cb_t = { context, info, target in
        let reply = unsafe from(target)
        guard let info = unsafe info else { return unsafe reply?.fail(context) ?? () }
        unsafe reply?.finish(.server(PulseServerInfo(info.pointee)))
    }

    private static let onSink: pa_sink_info_cb_t = { context, info, end, target in
        unsafe from(target)?.take(info.map { unsafe PulseDeviceDescription($0.pointee) }, end, context)
    }

    private static let onSource: pa_source_info_cb_t = { context, info, end, target in
        unsafe from(target)?.take(info.map { unsafe PulseDeviceDescription($0.pointee) }, end, context)
    }

    private static let onStream: pa_sink_input_info_cb_t = { context, info, end, target in
        guard let reply = unsafe from(target) else { return }
        if end < 0 { return unsafe reply.fail(context) }
        if let info = unsafe info { reply.finish(.muted(unsafe info.pointee.mute != 0)) }
    }

    private static let onClient: pa_client_info_cb_t = { context, info, end, target in
        guard let reply = unsafe from(target) else { return }
        if end < 0 { return unsafe reply.fail(context) }
        if let info = unsafe info { unsafe reply.clients.append(info.pointee.index) }
        guard end > 0, let context = unsafe context else { return }
        reply.finish(.clients(reply.clients, own: unsafe pa_context_get_index(context)))
    }

    private static let onModuleInfo: pa_module_info_cb_t = { context, info, end, target in
        guard let reply = unsafe from(target) else { return }
        if end < 0 { return unsafe reply.fail(context) }
        if let info = unsafe info {
            let (name, arguments) = unsafe (info.pointee.name, info.pointee.argument)
            reply.modules.append(
                PulseModule(
                    number: unsafe info.pointee.index,
                    name: unsafe name.map { unsafe String(cString: $0) } ?? "",
                    arguments: unsafe arguments.map { unsafe String(cString: $0) } ?? ""))
        }
        if end > 0 { reply.finish(.modules(reply.modules)) }
    }

    private static let onModule: pa_context_index_cb_t = { context, index, target in
        let reply = unsafe from(target)
        // The highest number is none.
        if index == UInt32.max { return unsafe reply?.fail(context) ?? () }
        reply?.finish(.module(index))
    }

    /// Takes one device, or the end of the list.
    private func take(_ device: PulseDeviceDescription?, _ end: Int32, _ context: OpaquePointer?) {
        if end < 0 { return unsafe fail(context) }
        if end > 0 { return finish(.devices(devices)) }
        if let device { devices.append(device) }
    }

    private func fail(_ context: OpaquePointer?) {
        finish(.failed(errorNumber: unsafe context.map { unsafe pa_context_errno($0) } ?? 0))
    }

    private func finish(_ result: PulseAnswer) {
        // Releases the closure and its captures after the call.
        let answer = answer
        self.answer = nil
        answer?(result)
    }

    private static func from(_ target: UnsafeMutableRawPointer?) -> PulseReply? {
        // SAFETY: the operation keeps the reply until the answer has arrived, or is cancelled.
        unsafe target.map { unsafe Unmanaged<PulseReply>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension PulseServerInfo {
    fileprivate init(_ info: pa_server_info) {
        let name = unsafe info.server_name.map { unsafe String(cString: $0) } ?? ""
        unsafe self.init(
            isPipeWire: strstr(name, "PipeWire") != nil, name: name,
            version: info.server_version.map { unsafe String(cString: $0) } ?? "",
            defaultSink: info.default_sink_name.map { unsafe String(cString: $0) } ?? "",
            defaultSource: info.default_source_name.map { unsafe String(cString: $0) } ?? "")
    }
}

extension PulseDeviceDescription {
    fileprivate init(_ info: pa_sink_info) {
        let name = unsafe info.name.map { unsafe String(cString: $0) } ?? ""
        let device = unsafe DeviceInfo(
            name: name, description: info.description.map { unsafe String(cString: $0) } ?? name,
            sampleRate: Double(info.sample_spec.rate), channels: Int(info.sample_spec.channels),
            isDefault: false, facts: DeviceFacts(info))
        unsafe self.init(
            info: device, channelMap: PulseChannelMap(info.channel_map),
            filter: PulseFilter(info.owner_module, info.proplist))
    }

    fileprivate init(_ info: pa_source_info) {
        let name = unsafe info.name.map { unsafe String(cString: $0) } ?? ""
        let device = unsafe DeviceInfo(
            name: name, description: info.description.map { unsafe String(cString: $0) } ?? name,
            sampleRate: Double(info.sample_spec.rate), channels: Int(info.sample_spec.channels),
            isDefault: false, isMonitor: info.monitor_of_sink_name != nil, facts: DeviceFacts(info))
        unsafe self.init(
            info: device, channelMap: PulseChannelMap(info.channel_map),
            filter: PulseFilter(info.owner_module, info.proplist))
    }
}

extension PulseFilter {
    fileprivate init(_ module: UInt32, _ properties: OpaquePointer?) {
        func text(_ key: String) -> String? {
            guard let properties = unsafe properties, let text = unsafe pa_proplist_gets(properties, key)
            else { return nil }
            return unsafe String(cString: text)
        }
        self.init(
            module: module == UInt32.max ? nil : module, master: text(PA_PROP_DEVICE_MASTER_DEVICE) ?? "",
            owner: text(Self.ownerProperty).flatMap { UInt32($0) })
    }
}
