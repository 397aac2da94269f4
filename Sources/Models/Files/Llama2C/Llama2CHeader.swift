internal import Tensors

/// The head of a llama2.c file (version 0): seven int32, then float32 without a word on what they are.
///
/// There is no magic, so that it is known by its sizes: they must be sensible and give the file's length exactly.
///
/// - Source: Karpathy, llama2.c, `export.py`, `legacy_export`.
struct Llama2CHeader {
    var width: Int
    var feedForwardWidth: Int
    var layers: Int
    var heads: Int
    var kvHeads: Int
    var vocabulary: Int
    var contextLength: Int
    /// The output matrix is the token embedding: said by a positive size of the vocabulary.
    var tiesEmbeddings: Bool

    static let byteCount = 28

    init?(_ file: MappedFile) {
        guard file.count >= Self.byteCount else { return nil }
        let fields = (0..<7).map {
            Int(Int32(littleEndian: file.bytes.loadUnaligned(fromByteOffset: 4 * $0, as: Int32.self)))
        }
        width = fields[0]
        feedForwardWidth = fields[1]
        layers = fields[2]
        heads = fields[3]
        kvHeads = fields[4]
        vocabulary = abs(fields[5])
        tiesEmbeddings = fields[5] > 0
        contextLength = fields[6]
        let sizes = [width, feedForwardWidth, layers, heads, kvHeads, vocabulary, contextLength]
        guard sizes.allSatisfy({ $0 > 0 && $0 <= ConfigurationNode.maximumSize }),
            layers <= ConfigurationNode.maximumLayers, width % heads == 0, heads % kvHeads == 0, headWidth % 2 == 0
        else { return nil }
        var total = 0
        for array in arrays {
            let (bytes, first) = array.shape.reduce((4, false)) { sum, size in
                let (product, overflow) = sum.0.multipliedReportingOverflow(by: size)
                return (product, sum.1 || overflow)
            }
            let (next, second) = total.addingReportingOverflow(bytes)
            guard !first, !second else { return nil }
            total = next
        }
        guard total == file.count - Self.byteCount else { return nil }
    }

    var headWidth: Int { width / heads }

    /// A run of numbers: one tensor, or one for each layer.
    struct Array {
        /// The name in GGUF without `.weight`; nil for what is not needed.
        var name: String?
        /// With the layers as first axis where `isPerLayer`.
        var shape: [Int]
        var isPerLayer = false
    }

    /// In the order of the file.
    var arrays: [Array] {
        let kvWidth = headWidth * kvHeads
        func each(_ name: String, _ shape: Int...) -> Array {
            Array(name: name, shape: [layers] + shape, isPerLayer: true)
        }
        return [
            Array(name: "token_embd", shape: [vocabulary, width]), each("attn_norm", width),
            each("attn_q", width, width), each("attn_k", kvWidth, width), each("attn_v", kvWidth, width),
            each("attn_output", width, width), each("ffn_norm", width), each("ffn_gate", feedForwardWidth, width),
            each("ffn_down", width, feedForwardWidth), each("ffn_up", feedForwardWidth, width),
            Array(name: "output_norm", shape: [width]),
            // Cosines and sines, from when they were not computed.
            Array(name: nil, shape: [contextLength, headWidth]),
        ] + (tiesEmbeddings ? [] : [Array(name: "output", shape: [vocabulary, width])])
    }
}
