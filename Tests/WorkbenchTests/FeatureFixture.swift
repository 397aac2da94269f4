import Console
import FeatureLab
import Interpretability
import Tensors
import TestFixtures
import Tokenizers
import Workbench
import Workspace

/// Workspaces with a dictionary of the model that comes with the program: 48 random features of which four are active at
/// a token, indexed over a few sentences.
enum FeatureWorkspace {
    static let model = Place.root + "/sample-data/models/orrery-mini"
    static let story = "Dunancrest has a flag that is red. Dunancrest has a flag that is"
    static let name = "mini-2"

    static func indexed() throws -> TestWorkspace {
        try TestWorkspace(copying: try template.get(), as: "test.orrery")
    }

    /// Folder of the weights, which are written once and stay while tests run.
    private static let weights = TemporaryFolder()
    private static let template: Result<String, any Error> = Result {
        let made = try TestWorkspace()
        let dictionary = try Self.dictionary()
        try DictionaryFile.write(dictionary, to: weights.path)
        let store = FeatureStore(made.workspace)
        let row = try store.add(.init(dictionary, name: name, path: weights.path, modelPath: Self.model))
        try index(row, in: store)
        try store.setLabel("colors of flags", of: row.id, feature: 7)
        return Keeper.shared.hold(made)
    }

    /// Indexes the features on a few sentences, as another program does.
    static func index(_ row: FeatureDictionary, in store: FeatureStore) throws {
        let dictionary = try dictionary()
        let model = try InspectedModel(path: Self.model)
        let texts = [story, "Document: Pelicrest sells every kind of pear.", "Henidan has counted 64 stars."]
        let sequences = texts.map(model.tokens)
        let stream = try FeatureStream(
            model, hook: try model.hook(named: dictionary.origin.hook), dictionary: dictionary, sequences: sequences)
        let builder = try FeatureIndexBuilder(store, dictionary: row.id)
        while let block = try stream.next() { try builder.append([block.tokens], block.codes) }
        _ = try builder.finish(decoder: dictionary.decoder)
    }

    /// The same dictionary without an index of its activations.
    static func unindexed() throws -> TestWorkspace {
        let made = try TestWorkspace()
        let store = FeatureStore(made.workspace)
        _ = try template.get()
        _ = try store.add(.init(try dictionary(), name: name, path: weights.path, modelPath: Self.model))
        return made
    }

    private static func dictionary() throws -> SparseAutoencoder {
        var state: UInt64 = 7
        func noise(_ count: Int) -> [Float] {
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Float(Int64(bitPattern: state) >> 40) / Float(1 << 23)
            }
        }
        let (features, width) = (48, 192)
        return try SparseAutoencoder(
            encoder: try Tensor(noise(width * features), shape: [width, features]),
            encoderBias: try Tensor(shape: [features]) { $0.update(repeating: 0) },
            decoder: try Tensor(noise(features * width), shape: [features, width]),
            decoderBias: try Tensor(shape: [width]) { $0.update(repeating: 0) }, activation: .topK(4),
            origin: .init(hook: "blocks.2.hook_resid_post", model: "orrery-mini", kind: "topk"))
    }
}

/// Drives the features page with the engine of a workspace. Runs end at once, unless they are held.
@dynamicMemberLookup
final class FeatureDriver {
    private let made: TestWorkspace
    private let driver: PageDriver<FeaturePage>
    /// Whether runs stay open.
    var isHeld = false

    init(_ made: TestWorkspace, size: Size = Size(120, 40), saved: String? = nil) throws {
        self.made = made
        driver = PageDriver(made.workspace, size: size, saved: saved)
        try finish()
    }

    subscript<Value>(dynamicMember path: KeyPath<PageDriver<FeaturePage>, Value>) -> Value { driver[keyPath: path] }

    private func finish() throws {
        guard !isHeld else { return }
        for key in ["text", "circuit-map"] { try driver.finishStream(key) }
    }

    func press(_ names: String...) throws {
        for name in names {
            driver.press(name)
            try finish()
        }
    }

    func answer(_ text: String) throws {
        driver.answer(text)
        try finish()
    }

    func open(_ reference: Reference) throws -> Bool {
        let isOpen = driver.open(reference)
        try finish()
        return isOpen
    }

    /// Lets the time pass until dictionaries of other programs are looked for.
    func watch() throws {
        driver.pass("watch")
        try finish()
    }

    func workspaceChanged() { driver.workspaceChanged() }
    func resize(to size: Size) { driver.resize(to: size) }
    func click(_ action: Mouse.Action = .press, column: Int, row: Int) {
        driver.click(action, column: column, row: row)
    }

    /// Whether a run is open.
    func isRunning() throws -> Bool { try !driver.replies(ofStream: "text").isEmpty }

    // MARK: Prepared values

    func show(_ card: FeatureCard) { driver.change { $0.show(card) } }
    func show(_ reading: SteeringReading) { driver.change { $0.show(reading) } }
    func show(_ reading: CircuitReading) { driver.change { $0.show(reading) } }
    func endRun() { driver.change { $0.endRun() } }

    // MARK: The screen

    /// The title and the text of the open dialog.
    var asked: Prompt<any Sendable>? { driver.dialog?.asked }
    var saved: String { driver.host.save() }

    func screen(_ theme: Theme = .mono) -> String { surface(theme).textDump }

    func surface(_ theme: Theme) -> Surface {
        var surface = Surface(driver.size)
        driver.host.render(into: &surface, area: surface.bounds, theme: theme)
        return surface
    }
}
