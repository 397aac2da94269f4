import Interpretability
import System
import Tensors
import TestFixtures
import Testing

@Suite("A comparison with TransformerLens")
struct HookComparisonTests {
    private static let golden =
        #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Goldens/hooked.safetensors"

    /// The golden file with one tensor of it doubled.
    private func doubling(_ name: String, in folder: TemporaryFolder) throws -> String {
        let file = try TensorFile.open(Self.golden)
        let path = folder.unique("faulty") + ".safetensors"
        let tensors = try file.names.map { entry in
            let tensor = try file.tensor(named: entry)
            guard entry == name else { return (name: entry, tensor: tensor) }
            return (name: entry, tensor: AnyTensor(try tensor.converted(to: Double.self) * 2))
        }
        try TensorFile.write(tensors, to: path)
        return path
    }

    @Test("finds every hook, the logits and the processed weights of all models near those of the file")
    func agrees() throws {
        let groups = try HookComparison.run(Self.golden).groups
        #expect(groups.map(\.name) == ["float64", "float32", "folded"])
        // Two models, two sequences, at least 40 tensors each.
        #expect(groups[0].tensors >= 160 && groups[1].tensors == groups[0].tensors)
        // All but the biases of values, which folding takes away.
        #expect(groups[2].tensors == 26)
        for (group, tolerance) in zip(groups, [1e-9, 1e-4, 1e-5]) {
            #expect(group.worst < tolerance, "\(group.name): \(group.worst) at \(group.at)")
        }
    }

    @Test("finds and names a tensor that is wrong", arguments: ["llama.a.blocks.1.attn.hook_pattern", "gpt.logits"])
    func plantedFault(_ name: String) throws {
        let folder = TemporaryFolder()
        let groups = try HookComparison.run(try doubling(name, in: folder)).groups
        #expect(groups[0].at == name && groups[1].at == name)
        #expect(groups[0].worst > 0.1 && groups[2].worst < 1e-5)
    }

    @Test("finds a processed weight that is wrong in the processed weights alone")
    func plantedWeight() throws {
        let folder = TemporaryFolder()
        let groups = try HookComparison.run(try doubling("gpt.fw.blocks.0.attn.W_Q", in: folder)).groups
        #expect(groups[2].at == "gpt.fw.blocks.0.attn.W_Q" && groups[2].worst > 0.1)
        #expect(groups[0].worst < 1e-9)
    }

    @Test("says what a file lacks that has no models")
    func refusal() throws {
        let folder = TemporaryFolder()
        let path = folder.file("one.safetensors")
        try TensorFile.write([(name: "one", tensor: AnyTensor(try Tensor<Double>([1])))], to: path)
        let error = #expect(throws: Problem.self) { try HookComparison.run(path) }
        #expect(error?.sentence == "\(path): missing tokens, such as gpt.tokens.")
        #expect(throws: Problem.self) { try HookComparison.run(folder.file("none.safetensors")) }
    }
}
