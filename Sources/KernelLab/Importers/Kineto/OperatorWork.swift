internal import Formatting

/// The arithmetic and the least traffic of one operator of a framework, from the shapes of its inputs.
struct OperatorWork: Hashable {
    /// A multiply-add counts two.
    var operations: Double
    /// Elements read and written once each: what a perfect cache would leave.
    var elements: Double
    /// The formula with the numbers put in.
    var formula: String

    /// The inputs of an operator as the trace has them.
    struct Inputs {
        /// Nil for what is not a tensor.
        var dimensions: [[Double]?]
        /// Values of what is not a tensor: `[1, 1]`, `True`.
        var concrete: [String]

        func tensor(_ place: Int, rank: Int? = nil) -> [Double]? {
            guard dimensions.indices.contains(place), let found = dimensions[place], !found.isEmpty else { return nil }
            if let rank, found.count != rank { return nil }
            return found
        }

        func integers(_ place: Int) -> [Double]? {
            guard concrete.indices.contains(place) else { return nil }
            let text = concrete[place]
            guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
            let parts = text.dropFirst().dropLast().split(separator: ",")
            let numbers = parts.compactMap { DecimalNumber.parse(String($0)) }
            return numbers.count == parts.count && !numbers.isEmpty ? numbers : nil
        }

        func isTrue(_ place: Int) -> Bool {
            concrete.indices.contains(place) && concrete[place] == "True"
        }
    }

    /// The work of an operator by its name; nil for operators without a formula and for shapes that do not fit one.
    static func of(_ name: String, _ inputs: Inputs) -> OperatorWork? {
        switch name {
        case "aten::mm": product(inputs, 0, 1)
        case "aten::addmm": product(inputs, 1, 2)
        case "aten::bmm": batched(inputs, 0, 1)
        case "aten::baddbmm": batched(inputs, 1, 2)
        case "aten::linear": linear(inputs)
        default: attention[name].map { sdpa(inputs, $0) } ?? convolutions[name].flatMap { convolution(inputs, $0) }
        }
    }

    /// Whether the name alone has a formula.
    static func knows(_ name: String) -> Bool {
        attention[name] != nil || convolutions[name] != nil
            || ["aten::mm", "aten::addmm", "aten::bmm", "aten::baddbmm", "aten::linear"].contains(name)
    }

    // MARK: - Products

    /// [m, k] × [k, n]: 2 m n k.
    private static func product(_ inputs: Inputs, _ left: Int, _ right: Int) -> OperatorWork? {
        guard let a = inputs.tensor(left, rank: 2), let b = inputs.tensor(right, rank: 2), a[1] == b[0] else {
            return nil
        }
        return OperatorWork(
            operations: 2 * a[0] * b[1] * a[1], elements: a[0] * a[1] + b[0] * b[1] + a[0] * b[1],
            formula: "2 m n k = 2 × \(Format.plain(a[0])) × \(Format.plain(b[1])) × \(Format.plain(a[1]))")
    }

    /// [b, m, k] × [b, k, n]: 2 b m n k.
    private static func batched(_ inputs: Inputs, _ left: Int, _ right: Int) -> OperatorWork? {
        guard let a = inputs.tensor(left, rank: 3), let b = inputs.tensor(right, rank: 3), a[0] == b[0], a[2] == b[1]
        else { return nil }
        return OperatorWork(
            operations: 2 * a[0] * a[1] * b[2] * a[2],
            elements: a[0] * (a[1] * a[2] + b[1] * b[2] + a[1] * b[2]),
            formula:
                "2 b m n k = 2 × \(Format.plain(a[0])) × \(Format.plain(a[1])) × \(Format.plain(b[2])) × \(Format.plain(a[2]))"
        )
    }

    /// [..., k] × [n, k]ᵀ: 2 m n k, m being the product of all dimensions but the last.
    private static func linear(_ inputs: Inputs) -> OperatorWork? {
        guard let x = inputs.tensor(0), let weight = inputs.tensor(1, rank: 2), let k = x.last, k == weight[1] else {
            return nil
        }
        let m = x.dropLast().reduce(1, *)
        return OperatorWork(
            operations: 2 * m * weight[0] * k, elements: m * k + weight[0] * k + m * weight[0],
            formula: "2 m n k = 2 × \(Format.plain(m)) × \(Format.plain(weight[0])) × \(Format.plain(k))")
    }

    // MARK: - Attention

    /// Where an attention operator has its heads, and its flag of causality.
    private struct AttentionForm {
        /// [batch, heads, sequence, width] or, false, [batch, sequence, heads, width].
        var headsFirst: Bool
        var causal: Int
    }

    private static let attention: [String: AttentionForm] = [
        "aten::scaled_dot_product_attention": AttentionForm(headsFirst: true, causal: 5),
        "aten::_scaled_dot_product_flash_attention": AttentionForm(headsFirst: true, causal: 4),
        "aten::_scaled_dot_product_flash_attention_for_cpu": AttentionForm(headsFirst: true, causal: 4),
        "aten::_scaled_dot_product_efficient_attention": AttentionForm(headsFirst: true, causal: 6),
        "aten::_scaled_dot_product_cudnn_attention": AttentionForm(headsFirst: true, causal: 6),
        "aten::_flash_attention_forward": AttentionForm(headsFirst: false, causal: 8),
    ]

    /// Scores and mix: 2 b h s_q s_k (d_qk + d_v), half of it where the mask is causal.
    private static func sdpa(_ inputs: Inputs, _ form: AttentionForm) -> OperatorWork? {
        guard let q = inputs.tensor(0, rank: 4), let k = inputs.tensor(1, rank: 4), let v = inputs.tensor(2, rank: 4),
            q[3] == k[3], q[0] == k[0]
        else { return nil }
        let heads = form.headsFirst ? q[1] : q[2]
        let (queries, keys) = form.headsFirst ? (q[2], k[2]) : (q[1], k[1])
        let isCausal = inputs.isTrue(form.causal)
        let operations = 2 * q[0] * heads * queries * keys * (q[3] + v[3]) / (isCausal ? 2 : 1)
        let numbers = [q[0], heads, queries, keys].map(Format.plain).joined(separator: " × ")
        return OperatorWork(
            operations: operations,
            elements: q.reduce(1, *) + k.reduce(1, *) + v.reduce(1, *) + q[0] * heads * queries * v[3],
            formula: "2 b h s_q s_k (d + d_v)\(isCausal ? " / 2 (causal)" : "") = 2 × \(numbers) × "
                + "(\(Format.plain(q[3])) + \(Format.plain(v[3])))\(isCausal ? " / 2" : "")")
    }

    // MARK: - Convolution

    /// Where a convolution operator has its parameters.
    private struct ConvolutionForm {
        var stride: Int
        var padding: Int
        var dilation: Int
        var transposed: Int?
    }

    private static let plain = ConvolutionForm(stride: 3, padding: 4, dilation: 5)
    private static let general = ConvolutionForm(stride: 3, padding: 4, dilation: 5, transposed: 6)
    private static let convolutions: [String: ConvolutionForm] = [
        "aten::conv1d": plain, "aten::conv2d": plain, "aten::conv3d": plain,
        "aten::convolution": general, "aten::_convolution": general,
        "aten::cudnn_convolution": ConvolutionForm(stride: 3, padding: 2, dilation: 4),
        "aten::mkldnn_convolution": ConvolutionForm(stride: 4, padding: 3, dilation: 5),
    ]

    /// 2 n c_out (c_in / groups) × kernel × output positions. The parameters must be recorded: nothing is guessed.
    private static func convolution(_ inputs: Inputs, _ form: ConvolutionForm) -> OperatorWork? {
        guard let x = inputs.tensor(0), let weight = inputs.tensor(1, rank: x.count), x.count >= 3,
            let stride = inputs.integers(form.stride), let padding = inputs.integers(form.padding),
            let dilation = inputs.integers(form.dilation), !(form.transposed.map { inputs.isTrue($0) } ?? false)
        else { return nil }
        func parameter(_ values: [Double], _ axis: Int) -> Double { values[min(axis, values.count - 1)] }
        var positions = 1.0
        for axis in 0..<(x.count - 2) {
            let reach = parameter(dilation, axis) * (weight[axis + 2] - 1) + 1
            let room = x[axis + 2] + 2 * parameter(padding, axis) - reach
            guard parameter(stride, axis) >= 1, room >= 0 else { return nil }
            positions *= (room / parameter(stride, axis)).rounded(.down) + 1
        }
        let kernel = weight[2...].reduce(1, *)
        let numbers = [x[0], weight[0], weight[1], kernel, positions].map(Format.plain).joined(separator: " × ")
        return OperatorWork(
            operations: 2 * x[0] * weight[0] * weight[1] * kernel * positions,
            elements: x.reduce(1, *) + weight.reduce(1, *) + x[0] * weight[0] * positions,
            formula: "2 n c_out (c_in / groups) kernel positions = 2 × \(numbers)")
    }
}
