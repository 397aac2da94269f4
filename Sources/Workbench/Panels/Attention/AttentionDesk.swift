internal import Console
internal import Interpretability
internal import ModelLab
internal import Models
internal import Providers
internal import Synchronization
internal import System
internal import Tokenizers
internal import Workspace

/// The open runs of the panel, with their models.
///
/// Only one operation changes a run at a time. Views are read from snapshots, which never wait.
final class AttentionDesk: AttentionEngine {
    /// A run with the texts of its tokens.
    struct Seat: Sendable {
        var run: InspectedRun
        var texts: [String] = []
        /// Title: the model, and its changes.
        var title: String

        /// Returns the run as values for the screen; creates texts only for new tokens.
        mutating func open() -> AttentionRun {
            let snapshot = run.snapshot
            if texts.count > snapshot.tokens.count { texts.removeLast(texts.count - snapshot.tokens.count) }
            texts += run.model.texts(of: snapshot.tokens[texts.count...])
            return AttentionRun(
                title: title, tokens: texts, promptCount: snapshot.promptCount, readCount: snapshot.readCount,
                layers: snapshot.layerCount, heads: snapshot.headCount, experts: snapshot.expertCount,
                finish: snapshot.finish.map(Self.word),
                tokensPerSecond: snapshot.tokensPerSecond > 0 ? snapshot.tokensPerSecond : nil)
        }

        private static func word(_ finish: RunSnapshot.Finish) -> String {
            switch finish {
            case .endToken: "the model stopped"
            case .contextFull: "the context is full"
            }
        }
    }

    struct Seats: Sendable {
        var first: Seat?
        var second: Seat?
        /// The pair of runs if the second run is the first with changed heads.
        var pair: RunPair?
    }

    let workspace: Workspace
    let house: ModelHouse
    private let seats = Mutex(Seats())
    private let models = Mutex<[(path: String, model: InspectedModel)]>([])

    init(_ workspace: Workspace) {
        self.workspace = workspace
        house = ModelHouse(workspace)
    }

    /// Maximum number of open models.
    private static let mostModels = 2

    /// Returns the model with a name.
    ///
    /// - Throws: `Problem` if the model does not run in this process, because only local models expose their
    ///   activations.
    func model(_ word: String) throws -> InspectedModel {
        guard case .local(let path) = try house.specification(of: word) else {
            throw Problem(
                .unsupported, "", "\(word) runs elsewhere, so its attention is not available",
                remedy: "Choose a model on this machine.")
        }
        if let known = models.withLock({ $0.first { $0.path == path }?.model }) { return known }
        let model = try InspectedModel(path: path)
        models.withLock {
            $0.append((path, model))
            if $0.count > Self.mostModels { $0.removeFirst() }
        }
        return model
    }

    /// Returns the names of models that can run in this process.
    func modelNames() throws -> [String] { try house.localNames() }

    var current: Seats { seats.withLock { $0 } }

    func change(_ body: (inout Seats) -> Void) { seats.withLock { body(&$0) } }

    /// Returns the current state of both runs.
    func runs() throws -> AttentionRuns {
        try seats.withLock { seats in
            guard let first = seats.first?.open() else { throw Self.nothingOpen }
            return AttentionRuns(first: first, second: seats.second?.open(), isChange: seats.pair != nil)
        }
    }

    static let nothingOpen = Problem(.missing, "", "no text is open", remedy: "Run the model on some text first.")
}
