import Interpretability
import Models
import System
import Tensors
import TestFixtures
import Testing

@Suite("Activations of files")
struct ActivationFileSourceTests {
    let folder = TemporaryFolder()

    func write(_ tensors: [(name: String, tensor: AnyTensor)], _ name: String) throws -> String {
        try TensorFile.write(tensors, to: folder.file(name))
        return folder.file(name)
    }

    /// Rows whose numbers tell which row they are.
    static func numbered(_ shape: [Int], from first: Float = 0) throws -> AnyTensor {
        AnyTensor(try Tensor((0..<shape.reduce(1, *)).map { first + Float($0) }, shape: shape))
    }

    @Test("every row comes once in each pass, in an order of its seed, and another in the next")
    func order() throws {
        let hook = "blocks.1.hook_resid_post"
        let paths = [
            try write([(hook, try Self.numbered([5, 3]))], "a.safetensors"),
            try write([(hook, try Self.numbered([2, 4, 3], from: 100))], "b.safetensors"),
        ]
        let source = try ActivationFileSource(paths, hook: hook, seed: 5)
        #expect(source.width == 3)
        #expect(source.rowCount == 13)
        let firsts = { (rows: Tensor<Float>) in
            stride(from: 0, to: rows.count, by: 3).map { rows.elements[$0] }
        }
        let (one, two) = (firsts(try source.next(rows: 13)), firsts(try source.next(rows: 13)))
        let all = (0..<5).map { Float(3 * $0) } + (0..<8).map { Float(100 + 3 * $0) }
        #expect(one.sorted() == all)
        #expect(two.sorted() == all)
        #expect(one != two)
        let again = try ActivationFileSource(paths, hook: hook, seed: 5)
        #expect(firsts(try again.next(rows: 4)) + firsts(try again.next(rows: 9)) == one)
        let other = try ActivationFileSource(paths, hook: hook, seed: 6)
        #expect(firsts(try other.next(rows: 13)) != one)
    }

    @Test("first tokens of every sequence can be left out")
    func skipping() throws {
        let path = try write([("hook_embed", try Self.numbered([3, 4, 2]))], "c.safetensors")
        let source = try ActivationFileSource([path], hook: "hook_embed", skippingFirst: 1)
        #expect(source.rowCount == 9)
        let rows = try source.next(rows: 9).elements
        #expect(!rows.contains(0) && !rows.contains(8) && !rows.contains(16))
    }

    @Test("hooks that TransformerLens captured open here, and what is written opens as the same")
    func transformerLens() throws {
        let captured = DictionaryGoldens.folder + "/../hooks/captured.safetensors"
        let file = try ActivationFile.read(captured)
        #expect(file.activations.count >= 30)
        #expect(file[.residualPost(layer: 1)]?.shape == [7, 16])
        #expect(file[.pattern(layer: 0)]?.shape == [4, 7, 7])
        #expect(file[.z(layer: 1)]?.shape == [7, 4, 4])
        let residual = try ActivationFileSource([captured], hook: "blocks.1.hook_resid_post", skippingFirst: 1)
        #expect(residual.width == 16)
        #expect(residual.rowCount == 6)
        let heads = try ActivationFileSource([captured], hook: "blocks.0.attn.hook_z")
        #expect(heads.width == 16)
        #expect(heads.rowCount == 7)
        try file.write(to: folder.file("again.safetensors"))
        let again = try ActivationFile.read(folder.file("again.safetensors"))
        #expect(again.activations == file.activations)
    }

    @Test("a .npy holds one tensor whatever its name")
    func numpy() throws {
        try TensorFile.write(try Self.numbered([6, 4]), to: folder.file("rows.npy"))
        let source = try ActivationFileSource([folder.file("rows.npy")], hook: "blocks.0.hook_mlp_out")
        #expect(source.width == 4)
        #expect(try source.next(rows: 6).elements.sorted() == (0..<24).map { Float($0) })
    }

    @Test("tensors that cannot be rows of a dictionary are rejected")
    func refusals() throws {
        let pattern = "blocks.0.attn.hook_pattern"
        let path = try write(
            [
                (pattern, try Self.numbered([2, 3, 3])), ("hook_embed", try Self.numbered([3, 2])),
                ("hook_pos_embed", AnyTensor(try Tensor<Float>([.nan, 1], shape: [1, 2]))),
                ("blocks.0.hook_resid_pre", try Self.numbered([24])),
            ], "d.safetensors")
        let wider = try write([("hook_embed", try Self.numbered([3, 5]))], "e.safetensors")
        for (paths, hook, words) in [
            ([path], pattern, "a row per pair of tokens"), ([path], "hook_pos_embed", "not finite"),
            ([path], "blocks.0.hook_resid_pre", "has shape [24]"), ([path, wider], "hook_embed", "have width 5"),
            ([path], "blocks.9.hook_resid_pre", "blocks.9.hook_resid_pre"), ([], "hook_embed", "no rows of"),
        ] {
            let error = #expect(throws: Problem.self) { try ActivationFileSource(paths, hook: hook) }
            #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
        }
    }
}
