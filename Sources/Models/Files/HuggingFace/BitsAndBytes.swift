internal import JSON
internal import Kernels
internal import Tensors

/// Weights that bitsandbytes quantized: several tensors that belong together, told by their names.
///
/// ```
/// q_proj.weight                                   U8 [n / 2, 1]       two codes a byte, high nibble first
/// q_proj.weight.absmax                            F32 or U8 [n / 64]
/// q_proj.weight.quant_state.bitsandbytes__nf4     U8                  JSON: shape, block sizes, the offset of scales
/// q_proj.weight.nested_absmax, .nested_quant_map  F32                 where the scales are quantized themselves
///
/// q_proj.weight                                   I8 [out, in]
/// q_proj.SCB                                      F32 [out]           weight = code · SCB / 127
/// ```
/// - Source: Dettmers et al. 2022 (LLM.int8), 2023 (QLoRA); bitsandbytes, `functional.py`.
struct BitsAndBytes {
    /// Tensors of one folder by their own names.
    let tensors: [String: StoredWeights]

    /// Returns the weight with its scales; `nil` if it is not quantized.
    func quantized(_ weight: StoredWeights) throws(ModelError) -> StoredWeights? {
        if let scales = rowScales(weight) { return try eightBits(weight, scales) }
        guard weight.spelling == "U8" else { return nil }
        if let state = tensors[weight.name + Self.stateSuffix + "nf4"] { return try fourBits(weight, state) }
        if tensors[weight.name + Self.stateSuffix + "fp4"] != nil {
            throw weight.failure(
                "\(weight.name) is FP4, which is not supported", remedy: "Quantize the model to NF4 instead.")
        }
        return nil
    }

    static let stateSuffix = ".quant_state.bitsandbytes__"

    /// Names of companions of a quantized weight, which are not weights themselves.
    static func isCompanion(_ name: String) -> Bool {
        name.hasSuffix(".SCB") || name.hasSuffix(".weight_format") || name.contains(".weight.")
    }

    /// The weight that a companion belongs to.
    static func weight(of companion: String) -> String {
        if let range = companion.firstRange(of: ".weight.") { return companion[..<range.lowerBound] + ".weight" }
        let end = companion.lastIndex(of: ".") ?? companion.endIndex
        return companion[..<end] + ".weight"
    }

    private func rowScales(_ weight: StoredWeights) -> StoredWeights? {
        guard weight.spelling == "I8", weight.name.hasSuffix(".weight") || weight.name.hasSuffix(".CB") else {
            return nil
        }
        let module = weight.name.dropLast(weight.name.hasSuffix(".CB") ? 3 : 7)
        return tensors[module + ".SCB"]
    }

    private func eightBits(_ weight: StoredWeights, _ scales: StoredWeights) throws(ModelError) -> StoredWeights {
        guard weight.shape.count == 2, scales.spelling == "F32", scales.elementCount == weight.shape[0] else {
            throw scales.failure(
                "\(scales.name) is \(scales.spelling) \(scales.shape), which does not fit \(weight.name) \(weight.shape)",
                remedy: "Quantize the model again with bitsandbytes.")
        }
        var quantized = weight
        quantized.spelling = "INT8"
        quantized.format = .int8
        quantized.scales = SeparateScales(values: place(scales))
        return quantized
    }

    private func place(_ tensor: StoredWeights) -> SeparateScales.MappedWeights {
        SeparateScales.MappedWeights(file: tensor.file, offset: tensor.offset, byteCount: tensor.byteCount)
    }

    // MARK: NF4

    /// Returns the JSON stored with a weight.
    private struct State {
        var shape: [Int] = []
        var blockSize = 0
        var nestedBlockSize: Int?
        var nestedOffset: Float = 0
    }

    private func fourBits(_ weight: StoredWeights, _ stored: StoredWeights) throws(ModelError) -> StoredWeights {
        let state = try state(stored)
        guard state.blockSize == 64 else {
            throw stored.failure(
                "\(weight.name) has block size \(state.blockSize), but only 64 is supported",
                remedy: "Quantize the model again with block size 64.")
        }
        guard let count = StoredTensor.elements(state.shape), count > 0, weight.byteCount == (count + 1) / 2 else {
            throw stored.failure(
                "\(weight.name) has \(weight.byteCount) bytes, which does not fit NF4 \(state.shape)",
                remedy: "Quantize the model again with bitsandbytes.")
        }
        try checkMap(weight)
        var quantized = weight
        quantized.spelling = "NF4"
        quantized.format = .nf4
        quantized.shape = state.shape
        quantized.scales = try scales(weight, state, blocks: (count + 63) / 64)
        return quantized
    }

    private func scales(_ weight: StoredWeights, _ state: State, blocks: Int) throws(ModelError) -> SeparateScales {
        let absmax = try companion(weight, "absmax")
        guard let nested = state.nestedBlockSize else {
            guard absmax.spelling == "F32", absmax.elementCount == blocks else { throw mismatch(absmax, weight) }
            return SeparateScales(values: place(absmax))
        }
        let map = try companion(weight, "nested_quant_map")
        let outer = try companion(weight, "nested_absmax")
        guard absmax.spelling == "U8", absmax.elementCount == blocks else { throw mismatch(absmax, weight) }
        guard map.spelling == "F32", map.elementCount == 256 else { throw mismatch(map, weight) }
        guard outer.spelling == "F32", nested > 0, outer.elementCount == (blocks - 1) / nested + 1 else {
            throw mismatch(outer, weight)
        }
        return SeparateScales(
            values: place(absmax),
            nested: SeparateScales.Nested(
                map: place(map), absmax: place(outer), blockSize: nested, offset: state.nestedOffset))
    }

    /// Checks that the codebook equals the one built into the product kernels.
    private func checkMap(_ weight: StoredWeights) throws(ModelError) {
        let map = try companion(weight, "quant_map")
        let values = map.format == .f32 ? try map.floats(map.name) : []
        guard values.count == 16, zip(values, NormalFloat4.codebook).allSatisfy({ abs($0 - $1) < 1e-6 }) else {
            throw map.failure(
                "\(map.name) is not the NF4 codebook", remedy: "Quantize the model again with bitsandbytes.")
        }
    }

    private func companion(_ weight: StoredWeights, _ suffix: String) throws(ModelError) -> StoredWeights {
        guard let tensor = tensors["\(weight.name).\(suffix)"] else {
            throw weight.failure(
                "\(weight.name) lacks its companion \(suffix)", remedy: "Quantize the model again with bitsandbytes.")
        }
        return tensor
    }

    private func mismatch(_ tensor: StoredWeights, _ weight: StoredWeights) -> ModelError {
        tensor.failure(
            "\(tensor.name) is \(tensor.spelling) \(tensor.shape), which does not fit \(weight.name)",
            remedy: "Quantize the model again with bitsandbytes.")
    }

    private func state(_ stored: StoredWeights) throws(ModelError) -> State {
        let bytes = try stored.bytes()
        let parser = JSONParser(maximumDepth: 8, maximumValues: 1 << 12)
        do {
            let root = try parser.parse(bytes.bindMemory(to: UInt8.self))
            var state = State()
            for size in root["shape"]?.elements.map({ $0 }) ?? [] { state.shape.append(size.int.map(Int.init) ?? 0) }
            state.blockSize = root["blocksize"]?.int.map(Int.init) ?? 0
            state.nestedBlockSize = root["nested_blocksize"]?.int.map(Int.init)
            state.nestedOffset = Float(root["nested_offset"]?.double ?? 0)
            return withExtendedLifetime(parser) { state }
        } catch {
            throw stored.failure(
                "\(stored.name) is not JSON: \(error.problem.sentence.dropLast())",
                remedy: "Quantize the model again with bitsandbytes.")
        }
    }
}

/// The 4-bit type whose sixteen values are quantiles of the normal distribution.
///
/// - Source: Dettmers et al. 2023 (QLoRA), appendix E.
package enum NormalFloat4 {
    package static let codebook: [Float] = [
        -1, -0.6961928009986877, -0.5250730514526367, -0.39491748809814453, -0.28444138169288635, -0.18477343022823334,
        -0.09105003625154495, 0, 0.07958029955625534, 0.16093020141124725, 0.24611230194568634, 0.33791524171829224,
        0.44070982933044434, 0.5626170039176941, 0.7229568362236023, 1,
    ]
}
