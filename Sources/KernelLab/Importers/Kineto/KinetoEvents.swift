import JSON

/// Stored events of a trace until the end, when kernels find their operators: a few words each, with every
/// text once.
struct KinetoEvents {
    /// An operator on the CPU. Times in microseconds.
    struct Operator {
        var name: Int32
        var thread: Int32
        /// Places of texts as the file has them; -1 for none.
        var dimensions: Int32
        var types: Int32
        var concrete: Int32
        /// The operator that was running on the same thread when this one began; -1 for none.
        var parent: Int32 = -1
        var start: Double
        var duration: Double
        var externalID: Int64
        var end: Double { start + duration }
    }

    /// A kernel on a device.
    struct Kernel {
        var name: Int32
        var device: Int32
        var stream: Int32
        var registers: Int32
        var shared: Int32
        /// Percent; NaN for none.
        var occupancy: Float
        var grid: (Int32, Int32, Int32)
        var block: (Int32, Int32, Int32)
        var start: Double
        var duration: Double
        var externalID: Int64
        var correlation: Int64
    }

    /// The call that launched kernels.
    struct Call {
        var thread: Int32
        var start: Double
        var externalID: Int64
    }

    var operators: [Operator] = []
    var kernels: [Kernel] = []
    var calls: [Int64: Call] = [:]
    /// Copies and fills of device memory.
    var copies = 0
    var damaged = 0
    private(set) var texts: [String] = []
    private var places: [String: Int32] = [:]

    static let none: Int64 = -1
    static let mostEvents = 10_000_000

    mutating func place(_ text: String) -> Int32 {
        if let place = places[text] { return place }
        texts.append(text)
        places[text] = Int32(texts.count - 1)
        return Int32(texts.count - 1)
    }

    func text(_ place: Int32) -> String? { place >= 0 ? texts[Int(place)] : nil }

    /// Keeps what matters of one event.
    mutating func add(_ event: JSONNode) {
        guard event.kind == .object else {
            damaged += 1
            return
        }
        guard event["ph"]?.equals("X") ?? false, let category = event["cat"], let start = time(event["ts"]) else {
            return
        }
        let arguments = event["args"]
        let duration = max(0, time(event["dur"]) ?? 0)
        if category.equals("cpu_op") {
            operators.append(
                Operator(
                    name: place(event["name"]?.string ?? "unnamed operator"), thread: thread(event),
                    dimensions: source(arguments?["Input Dims"]), types: source(arguments?["Input type"]),
                    concrete: source(arguments?["Concrete Inputs"]), start: start, duration: duration,
                    externalID: id(arguments?["External id"])))
        } else if category.equals("kernel") {
            kernels.append(kernel(event, arguments, start, duration))
        } else if category.equals("cuda_runtime") || category.equals("cuda_driver") {
            let correlation = id(arguments?["correlation"])
            guard correlation != Self.none else { return }
            calls[correlation] = Call(
                thread: thread(event), start: start, externalID: id(arguments?["External id"]))
        } else if category.equals("gpu_memcpy") || category.equals("gpu_memset") {
            copies += 1
        }
    }

    var count: Int { operators.count + kernels.count + calls.count }

    private mutating func kernel(
        _ event: JSONNode, _ arguments: JSONNode?, _ start: Double, _ duration: Double
    ) -> Kernel {
        Kernel(
            name: place(event["name"]?.string ?? "unnamed kernel"),
            device: small(arguments?["device"]) ?? 0, stream: small(arguments?["stream"]) ?? -1,
            registers: small(arguments?["registers per thread"]) ?? -1,
            shared: small(arguments?["shared memory"]) ?? -1,
            occupancy: arguments?["est. achieved occupancy %"]?.lenientDouble.map { Float($0) } ?? .nan,
            grid: extent(arguments?["grid"]), block: extent(arguments?["block"]), start: start, duration: duration,
            externalID: id(arguments?["External id"] ?? arguments?["external id"]),
            correlation: id(arguments?["correlation"]))
    }

    private mutating func thread(_ event: JSONNode) -> Int32 {
        func word(_ node: JSONNode?) -> String { node.map { String(decoding: $0.source, as: UTF8.self) } ?? "" }
        return place("thread \(word(event["pid"])) \(word(event["tid"]))")
    }

    /// The text of a value as it is written.
    private mutating func source(_ node: JSONNode?) -> Int32 {
        guard let node, node.count > 0, node.source.count <= 1 << 16 else { return -1 }
        return place(Self.spaced(node.source))
    }

    /// JSON on one line with a space behind each comma, however it was laid out.
    private static func spaced(_ source: UnsafeBufferPointer<UInt8>) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var isQuoted = false
        var isEscaped = false
        for byte in source {
            if isQuoted {
                isQuoted = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte <= 0x20 {
                continue
            } else {
                isQuoted = byte == UInt8(ascii: "\"")
            }
            bytes.append(byte)
            if byte == UInt8(ascii: ","), !isQuoted { bytes.append(0x20) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A time within the range in which microseconds keep their fraction.
    private func time(_ node: JSONNode?) -> Double? {
        guard let value = node?.lenientDouble, value.isFinite, abs(value) < 1e18 else { return nil }
        return value
    }

    private func id(_ node: JSONNode?) -> Int64 { node?.lenientInt ?? Self.none }

    private func small(_ node: JSONNode?) -> Int32? {
        node?.lenientInt.flatMap { Int32(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    private func extent(_ node: JSONNode?) -> (Int32, Int32, Int32) {
        guard let node, node.count == 3, let x = small(node.element(at: 0)), let y = small(node.element(at: 1)),
            let z = small(node.element(at: 2))
        else { return (-1, -1, -1) }
        return (x, y, z)
    }
}
