import ModelLab
import System
import TestFixtures
import Testing
import Workspace

@Suite("Models that a workspace knows by name")
struct ModelRegistryTests {
    let folder = TemporaryFolder()

    private func registry() throws -> ModelRegistry {
        ModelRegistry(try Workspace.open(folder.unique("models.orrery"), migrations: ModelLab.migrations, create: true))
    }

    static let file = ModelEntry.File(
        architecture: "llama", formats: "q4_k, q6_k, f32", parameters: 1_100_048_384, bytes: 667_000_000,
        contextLength: 2048, digest: .max)

    @Test("added models are found by name")
    func areFoundAgain() throws {
        let registry = try registry()
        let tiny = try registry.add(name: "tiny", specification: "/models/tiny.gguf", file: Self.file, at: 7)
        try registry.add(name: "mini", specification: "openai:gpt-4o-mini", file: nil, at: 8)
        #expect(try registry.entry(named: "tiny") == tiny)
        #expect(tiny.file == Self.file)
        #expect(try registry.entries().map(\.name) == ["mini", "tiny"])
    }

    @Test("a name is one model's: adding it again only brings it up to date")
    func names() throws {
        let registry = try registry()
        try registry.add(name: "tiny", specification: "/a", file: nil, at: 1)
        let again = try registry.add(name: "tiny", specification: "/a", file: Self.file, at: 2)
        #expect(again.file == Self.file)
        #expect(
            throws: Problem(.invalid, "", "the name tiny already belongs to /a", remedy: "Choose another with --name.")
        ) {
            try registry.add(name: "tiny", specification: "/b", file: nil, at: 3)
        }
        #expect(try registry.entries().count == 1)
    }

    @Test("an error for an unknown name lists the known names")
    func unknownNamesAreAnsweredWithThoseThatAreKnown() throws {
        let registry = try registry()
        try registry.add(name: "tiny", specification: "/a", file: nil, at: 1)
        #expect(throws: Problem(.unknown, "", "unknown model \"huge\"", remedy: "Models in this workspace: tiny.")) {
            try registry.remove(named: "huge")
        }
        try registry.remove(named: "tiny")
        #expect(try registry.entries().isEmpty)
    }
}
