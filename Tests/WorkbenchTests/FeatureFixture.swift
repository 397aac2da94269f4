import Console
import FeatureLab
import Interpretability
import Synchronization
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

    /// Made once: the folder of its weights stays while tests run.
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

    /// What the features fire on in a few sentences, as another program finds it out.
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

/// Drives a features panel without a shell: does at once what it asks for, and writes down the rest.
final class FeatureDriver {
    private(set) var panel: FeaturePanel
    /// Open as long as the panel is.
    let workspace: TestWorkspace
    private(set) var size: Size
    private(set) var notices: [String] = []
    private(set) var copies: [String] = []
    private(set) var failures: [String] = []
    private(set) var refusals: [String] = []
    private(set) var prompt: Prompt<FeatureAnswer>?
    private(set) var cancelled: [String] = []
    private(set) var backs = 0
    /// Values that streams told, of which the panel gets every one.
    private(set) var told = 0
    /// What is to come after some time.
    private(set) var waiting: FeatureAnswer?
    /// Work is only written down, as while it has not come to an end yet.
    var isHeld = false

    init(_ workspace: TestWorkspace, size: Size = Size(120, 40), saved: String? = nil) {
        self.size = size
        self.workspace = workspace
        panel = FeaturePanel(PanelContext(workspace: workspace.workspace, settings: Place.settings(), now: Place.now))
        run(panel.update(.resize(Rect(size))))
        run(panel.update(.start(saved: saved)))
    }

    func act(_ actions: FeatureAction...) {
        for action in actions {
            if let reason = panel.disabledReason(action) {
                refusals.append(reason)
            } else {
                run(panel.update(.action(action)))
            }
        }
    }

    func type(_ text: String) {
        guard let asked = prompt else { return }
        prompt = nil
        run(panel.update(.answer(asked.accept(text))))
    }

    func tell(_ answer: FeatureAnswer) { run(panel.update(.answer(answer))) }
    func change() { run(panel.update(.changed)) }

    func click(_ action: Mouse.Action = .press, column: Int, row: Int) {
        run(panel.update(.mouse(Mouse(action, at: Point(column: column, row: row)))))
    }

    func open(_ reference: Reference) -> Bool {
        guard let effects = panel.open(reference) else { return false }
        run(effects)
        return true
    }

    func resize(to size: Size) {
        self.size = size
        run(panel.update(.resize(Rect(size))))
    }

    func screen(_ theme: Theme = .mono) -> String { surface(theme).textDump }

    func surface(_ theme: Theme) -> Surface {
        var surface = Surface(size)
        panel.render(into: &surface, area: surface.bounds, theme: theme)
        return surface
    }

    private func run(_ effects: [Effect<FeatureAnswer>]) {
        for effect in effects {
            switch effect {
            case .ask(let key, let work): if !isHeld { perform(key) { try work(Cancellation()) } }
            case .write(let key, let work): perform(key) { try work() }
            case .stream(let key, let work):
                guard !isHeld else { continue }
                let told = Mutex<[FeatureAnswer]>([])
                perform(key) {
                    let last = try work(Cancellation()) { answer in told.withLock { $0.append(answer) } }
                    for answer in told.withLock({ $0 }) {
                        self.told += 1
                        self.run(self.panel.update(.answer(answer)))
                    }
                    return last
                }
            case .prompt, .choose, .browse, .fill, .question: prompt = effect.asked
            case .copy(let text, _): copies.append(text)
            case .notify(let sentence, _): notices.append(sentence)
            case .cancel(let key): cancelled.append(key)
            case .back: backs += 1
            case .changed: change()
            case .wait(_, _, let answer): waiting = answer
            case .job, .edit, .open, .offer: break
            }
        }
    }

    private func perform(_ key: String, _ work: () throws -> FeatureAnswer) {
        do {
            run(panel.update(.answer(try work())))
        } catch {
            failures.append("\(error)")
            run(panel.update(.failed(key: key, sentence: "\(error)")))
        }
    }
}
