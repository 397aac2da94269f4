package import Models

/// How transformers calls the weights of a family: the way back from the names of GGUF.
///
/// - Source: the `modeling_*.py` of transformers.
package struct HuggingFaceWeights {
    package let configuration: ModelConfiguration
    private var family: ArchitectureDescriptor { configuration.family }

    package init(_ configuration: ModelConfiguration) { self.configuration = configuration }

    /// `blk.0.attn_q.weight` is `model.layers.0.self_attn.q_proj.weight`; nil for what the family does not have.
    package func name(_ parameter: String) -> String? {
        var parts = parameter.split(separator: ".").map(String.init)
        guard parts.count >= 2, let suffix = parts.popLast() else { return nil }
        if parts[0] != "blk" { return family.globalModules[parts.joined(separator: ".")].map { "\($0).\(suffix)" } }
        guard parts.count >= 3 else { return nil }
        let part: String?
        if parts.count == 4 {
            part = expert(parts[2], parts[3])
        } else {
            part = family.moduleNames[parts[2]] ?? family.layerModules[parts[2]]
        }
        return part.map { "\(layers).\(parts[1]).\($0).\(suffix)" }
    }

    private var layers: String {
        switch family.layout {
        case .gpt2: "transformer.h"
        case .bert: "encoder.layer"
        default: "model.layers"
        }
    }

    private func expert(_ part: String, _ number: String) -> String? {
        family.expertNames[part].map { "\(family.expertModule).experts.\(number).\($0)" }
    }
}
