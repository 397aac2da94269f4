import JSON

/// Reads the Chrome traces that PyTorch's profiler (Kineto) writes.
///
/// A kernel finds its operator by the external id, otherwise by the call that launched it and the operator around that call.
/// The trace counts no operations, so these are worked out from the shapes of the operator's inputs and marked as
/// estimates, as is the traffic: each input and output once. Without kernels the operators of the CPU are the launches.
struct KinetoImporter: ProfileImporter {
    static let format = "kineto"
    static let tool = "PyTorch profiler"
    static let recipe = "profile(record_shapes=True) in PyTorch, then export_chrome_trace(\"FILE.json\")"

    var events = KinetoEvents()
    var deviceNames: [Int: String] = [:]
    let parser = JSONParser(maximumDepth: 64, maximumValues: 1 << 20)

    init(options: ProfileImportOptions) {}

    static func recognizes(_ head: [UInt8]) -> Bool {
        let head = head.prefix(64 << 10)
        guard let first = head.first(where: { $0 > 0x20 && $0 != 0xEF && $0 != 0xBB && $0 != 0xBF }) else {
            return false
        }
        let text = String(decoding: head, as: UTF8.self)
        if first == UInt8(ascii: "{") {
            return text.contains("\"traceEvents\"") || text.contains("\"deviceProperties\"")
        }
        return first == UInt8(ascii: "[") && text.contains("\"ph\"") && text.contains("\"ts\"")
    }

    mutating func read(_ source: ProfileSource, into sink: ProfileSink) throws {
        let reader = TraceEventReader(source)
        while let piece = try reader.next() {
            switch piece {
            case .member(let key, let value):
                if key == "deviceProperties" { readDevices(value) }
            case .event(let bytes):
                do {
                    try parser.parse(bytes) { events.add($0) }
                } catch let error as JSONError {
                    throw source.error(
                        offset: reader.offset + error.offset, "invalid JSON in an event: \(Self.reason(error))",
                        "The file is damaged. Export the profile again.")
                }
                if events.count > KinetoEvents.mostEvents {
                    throw source.error(
                        "the trace has more than \(KinetoEvents.mostEvents) "
                            + "events", "Profile fewer steps of the program.")
                }
            }
        }
        if reader.isCutOff { sink.note("The list of events is not closed: the profiler was interrupted.") }
        if events.damaged > 0 { sink.note("\(events.damaged) events were skipped because they are not objects.") }
        if events.copies > 0 {
            sink.note("\(events.copies) copies and fills of device memory in the trace are not listed.")
        }
        try emit(into: sink, source)
    }

    private static func reason(_ error: JSONError) -> String {
        var sentence = error.problem.sentence
        if sentence.hasSuffix(".") { sentence.removeLast() }
        return sentence
    }

    private mutating func readDevices(_ bytes: UnsafeBufferPointer<UInt8>) {
        try? parser.parse(bytes) { node in
            for device in node.elements {
                guard let name = device["name"]?.string, deviceNames.count < 4_096 else { continue }
                deviceNames[device["id"]?.int.map { Int($0) } ?? deviceNames.count] = name
            }
        }
    }
}
