internal import CKernels
internal import Formatting
internal import Glibc
public import JSON
internal import Kernels

/// What decides how fast a kernel can be: processor, caches, memory. Figures of different machines are never compared.
public struct Machine: Hashable, Sendable {
    /// The maker's name of the processor; `unknown processor` where it cannot be asked.
    public var processor: String
    /// The instruction groups that kernels use: `AVX2, AVX-512`.
    public var features: String
    /// Logical processors that are switched on.
    public var processors: Int
    /// Data caches, level 1 first.
    public var caches: [Cache]
    /// Bytes of memory.
    public var memory: Int

    public struct Cache: Hashable, Sendable {
        public var level: Int
        public var bytes: Int
        /// Logical processors that share one.
        public var sharedBy: Int

        public init(level: Int, bytes: Int, sharedBy: Int) {
            self.level = level
            self.bytes = bytes
            self.sharedBy = sharedBy
        }
    }

    public init(processor: String, features: String, processors: Int, caches: [Cache], memory: Int) {
        self.processor = processor
        self.features = features
        self.processors = processors
        self.caches = caches
        self.memory = memory
    }

    /// This machine, as it was when first asked.
    public static let current = Machine(
        processor: processorName, features: ProcessorFeatures.present.names,
        processors: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), caches: knownCaches(),
        memory: max(0, sysconf(Int32(_SC_PHYS_PAGES))) * max(1, sysconf(Int32(_SC_PAGESIZE))))

    /// The line under which its figures are kept: `AMD EPYC, 2 processors, L1 48 KiB, L2 1 MiB, 24 GiB, AVX2`.
    ///
    /// Memory is rounded to GiB: what a system keeps for itself differs from start to start.
    public var identity: String {
        var parts = [processor, processors == 1 ? "1 processor" : "\(processors) processors"]
        parts += caches.map { "L\($0.level) \(Format.binaryBytes($0.bytes))" }
        parts.append("\((memory + 1 << 29) >> 30) GiB")
        if !features.isEmpty { parts.append(features) }
        return parts.joined(separator: ", ")
    }

    /// The processor of an identity, without caches and memory: `AMD EPYC`.
    public static func processor(of identity: String) -> String {
        identity.split(separator: ",").first.map(String.init) ?? identity
    }

    private static var processorName: String {
        var name = [CChar](repeating: 0, count: 49)
        orrery_processor_name(&name)
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = text.split(separator: " ").joined(separator: " ")
        return words.isEmpty ? "unknown processor" : words
    }
}

extension Machine: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("processor", processor)
            json.member("features", features)
            json.member("processors", processors)
            json.member("memory_bytes", memory)
            json.objects("caches", of: caches) { cache, json in
                json.member("level", cache.level)
                json.member("bytes", cache.bytes)
                json.member("shared_by", cache.sharedBy)
            }
        }
    }

    init?(_ node: JSONNode) {
        guard let processor = node["processor"]?.string, let features = node["features"]?.string,
            let processors = node["processors"]?.count(in: 1...1 << 20),
            let memory = node["memory_bytes"]?.count(in: 0...1 << 60)
        else { return nil }
        var caches: [Cache] = []
        if let list = node["caches"] {
            for each in list.elements {
                guard let level = each["level"]?.count(in: 1...9), let bytes = each["bytes"]?.count(in: 1...1 << 50),
                    let sharedBy = each["shared_by"]?.count(in: 1...1 << 20)
                else { return nil }
                caches.append(Cache(level: level, bytes: bytes, sharedBy: sharedBy))
            }
        }
        self.init(processor: processor, features: features, processors: processors, caches: caches, memory: memory)
    }
}

extension JSONNode {
    /// An integer of a range; nil for anything else.
    func count(in range: ClosedRange<Int>) -> Int? {
        guard let value = int, range.contains(Int(value)) else { return nil }
        return Int(value)
    }
}
