public import JSON

/// What a quantization did to each tensor.
public struct QuantizationReport: Sendable {
    public struct Tensor: Hashable, Sendable {
        public var name: String
        /// Formats before and after, as the files call them.
        public var from: String
        public var to: String
        public var shape: [Int]
        public var bytes: Int
        /// nil for what was copied as it was.
        public var error: QuantizationError?
    }

    public var path: String
    public var target: QuantizationTarget
    public var tensors: [Tensor] = []
    /// Of all tensors, before and after.
    public var bytesBefore = 0
    public var bytesAfter = 0
    public var seconds = 0.0

    init(path: String, target: QuantizationTarget) {
        self.path = path
        self.target = target
    }

    /// Error over all quantized tensors.
    public var error: QuantizationError {
        tensors.reduce(into: QuantizationError()) { sum, tensor in
            if let error = tensor.error { sum.add(error) }
        }
    }

    /// The tensors that lost most, by relative error.
    public func worst(_ count: Int = 5) -> [Tensor] {
        let lossy = tensors.filter { ($0.error?.relative ?? 0) > 0 }
        return Array(lossy.sorted { ($0.error?.relative ?? 0) > ($1.error?.relative ?? 0) }.prefix(count))
    }
}

/// How far a quantization is.
public struct QuantizationProgress: Hashable, Sendable {
    /// Current tensor.
    public var tensor: String
    public var format: String
    public var index: Int
    public var count: Int
    /// Of all weights, those that are done: 0 to 1.
    public var fraction: Double
}

extension QuantizationError: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("maximum", maximum)
            $0.member("relative", relative)
        }
    }
}

extension QuantizationReport: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("target", target.rawValue)
            json.member("bytes_before", bytesBefore)
            json.member("bytes_after", bytesAfter)
            json.member("seconds", seconds)
            json.member("error", error)
            json.member("worst", worst().map(\.name))
            json.member("tensors", tensors)
        }
    }
}

extension QuantizationReport.Tensor: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("from", from)
            $0.member("to", to)
            $0.member("shape", shape)
            $0.member("bytes", bytes)
            $0.member("error", ifPresent: error)
        }
    }
}
