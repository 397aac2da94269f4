import JSON

/// The texts of a trace about the inputs of an operator, read once for each different set of them.
struct OperatorSignature {
    let inputs: OperatorWork.Inputs
    /// The element type of the first tensor: `c10::BFloat16`.
    let type: String?

    init(dimensions: String?, types: String?, concrete: String?, parser: JSONParser) {
        var found: [[Double]?] = []
        if let dimensions {
            try? parser.parse(dimensions) { node in
                for tensor in node.elements.prefix(64) {
                    let sizes = tensor.elements.prefix(16).map(\.double)
                    let known = sizes.compactMap { $0 }
                    // A list of tensors is a list of lists.
                    let isTensor =
                        tensor.kind == .array && known.count == sizes.count
                        && known.allSatisfy { $0 >= 0 && $0 < 1e12 }
                    found.append(isTensor ? known : nil)
                }
            }
        }
        inputs = OperatorWork.Inputs(dimensions: found, concrete: Self.strings(concrete, parser))
        type = Self.strings(types, parser).first { Self.bytes[$0] != nil }
    }

    private static func strings(_ text: String?, _ parser: JSONParser) -> [String] {
        guard let text else { return [] }
        let strings = try? parser.parse(text) { node in node.elements.prefix(64).map { $0.string ?? "" } }
        return strings ?? []
    }

    /// Bytes of an element; `nil` if types were not recorded.
    var elementBytes: Double? { type.flatMap { Self.bytes[$0] } }

    /// The arithmetic that products of this type run on: matrix units on devices that have them.
    func kind(onDevice: Bool) -> ArithmeticKind {
        switch type {
        case "double": .f64
        case "float": .f32
        case "c10::Half": onDevice ? .tensorF16 : .f16
        case "c10::BFloat16": onDevice ? .tensorBF16 : .bf16
        case "signed char", "unsigned char": onDevice ? .tensorInt8 : .integer
        case .some(let type) where type.hasPrefix("c10::Float8"): onDevice ? .tensorF8 : .float
        default: .float
        }
    }

    private static let bytes: [String: Double] = [
        "double": 8, "float": 4, "c10::Half": 2, "c10::BFloat16": 2, "signed char": 1, "unsigned char": 1,
        "c10::Float8_e4m3fn": 1, "c10::Float8_e5m2": 1, "c10::Float8_e4m3fnuz": 1, "c10::Float8_e5m2fnuz": 1,
    ]
}
