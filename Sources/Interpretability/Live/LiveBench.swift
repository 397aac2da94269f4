internal import Kernels
public import System
public import Tokenizers

/// Times of what panels do while a text comes, as the benchmark reports them.
public enum LiveBench {
    /// What was measured.
    public struct Figures: Hashable, Sendable {
        /// A token that is written with everything watched, and the grid of all heads of it: the median.
        public var watchedMilliseconds = 0.0
        /// The same, 95 of 100.
        public var watchedMillisecondsP95 = 0.0
        /// A token that is written with nothing kept: the median.
        public var plainMilliseconds = 0.0
        /// The prompt read with everything watched.
        public var readingSeconds = 0.0
        /// A branch from the middle of the prompt, with a head turned off, until it has read the rest: the median.
        public var rerunSeconds = 0.0
        /// The same rest read by a run that had read the first half: the median.
        public var restSeconds = 0.0
        /// The median of the ratios of one to the other, taken in turns.
        public var rerunRatio = 0.0
        /// All heads of a long text, each in the cells that it has on a screen of 200 by 60: the median.
        public var gridMilliseconds = 0.0
        /// What a cell of it stands for.
        public var gridNote = ""
        /// All heads, each in 125 by 125 cells: the median.
        public var gridFineMilliseconds = 0.0
        /// What a cell of it stands for.
        public var gridFineNote = ""
    }

    /// How far views lag behind tokens, what a rerun costs, and how long all heads of a long text take to draw.
    ///
    /// - Parameters:
    ///   - prompt: Its tokens, as many as the bar is to be held at: two or more.
    ///   - count: Tokens that come after it.
    ///   - rounds: Number of reruns, alternating with fresh reads of the rest.
    /// - Throws: As `InspectedRun.read` and `step`; where memory is short.
    public static func run(
        _ model: InspectedModel, prompt: [TokenID], count: Int = 64, rounds: Int = 7
    ) throws(Problem) -> Figures {
        var figures = Figures()
        let run = try model.run(prompt, RunOptions(endTokens: []))
        let start = Clock.now(.monotonic)
        try run.read()
        figures.readingSeconds = Clock.now(.monotonic) - start
        let watched = try steps(of: run, count) { _ = run.snapshot.attention.grid(rows: 8, columns: 16) }
        figures.watchedMilliseconds = watched[watched.count / 2]
        figures.watchedMillisecondsP95 = watched[(watched.count * 95 + 99) / 100 - 1]
        let plain = try model.run(
            prompt,
            RunOptions(endTokens: [], alternatives: 0, keepsAttention: false, scoresPrompt: false, residualBudget: 0))
        try plain.read()
        figures.plainMilliseconds = try steps(of: plain, count) {}[count / 2]
        try measureReruns(model, prompt, rounds: rounds, into: &figures)
        try measureGrids(into: &figures)
        return figures
    }

    /// Reruns from the middle of a prompt, and the second half read by a run that knows the first, one after the other.
    private static func measureReruns(
        _ model: InspectedModel, _ prompt: [TokenID], rounds: Int, into figures: inout Figures
    ) throws(Problem) {
        let from = prompt.count / 2
        let run = try model.run(prompt, RunOptions(endTokens: []))
        try run.read()
        let silenced = [LiveIntervention(.head(layer: 0, head: 0, scale: 0))]
        var pairs: [(rerun: Double, rest: Double)] = []
        // The first round touches fresh memory.
        for round in 0...max(1, rounds) {
            let start = Clock.now(.monotonic)
            let branch = try run.rerun(from: from, with: silenced)
            try branch.read()
            let rerun = Clock.now(.monotonic) - start
            let whole = try model.run(prompt, RunOptions(endTokens: []))
            try whole.readUp(to: from)
            let restStart = Clock.now(.monotonic)
            try whole.read()
            if round > 0 { pairs.append((rerun, Clock.now(.monotonic) - restStart)) }
        }
        figures.rerunSeconds = median(pairs.map(\.rerun))
        figures.restSeconds = median(pairs.map(\.rest))
        figures.rerunRatio = median(pairs.map { $0.rerun / max($0.rest, 1e-9) })
    }

    /// Heads of many layers over a long text, drawn from cells that are kept.
    ///
    /// The cells hold numbers of no model: reading them takes as long as reading those of one.
    private static func measureGrids(
        layers: Int = 32, heads: Int = 32, tokens: Int = 8000, into figures: inout Figures
    ) throws(Problem) {
        let atlas = try AttentionAtlas.sample(
            layers: layers, heads: heads, tokens: tokens, cellBudget: RunOptions().cellBudget)
        func time(_ rows: Int, _ columns: Int) -> (milliseconds: Double, note: String) {
            var note = ""
            let times = (0..<9).map { _ in
                let start = Clock.now(.monotonic)
                note = atlas.grid(rows: rows, columns: columns).note
                return 1000 * (Clock.now(.monotonic) - start)
            }
            return (median(times), note)
        }
        (figures.gridMilliseconds, figures.gridNote) = time(16, 32)
        (figures.gridFineMilliseconds, figures.gridFineNote) = time(125, 125)
    }

    /// Milliseconds of each token and of what is drawn after it, ascending; `count` of them.
    private static func steps(
        of run: InspectedRun, _ count: Int, drawing: () -> Void
    ) throws(Problem) -> [Double] {
        var times: [Double] = []
        for _ in 0..<count {
            let start = Clock.now(.monotonic)
            guard try run.step() != nil else {
                throw Problem(
                    .invalid, run.model.name, "the context is full after \(times.count) of \(count) tokens",
                    remedy: "Use a shorter prompt.")
            }
            drawing()
            times.append(1000 * (Clock.now(.monotonic) - start))
        }
        return times.sorted()
    }

    private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
}

extension InspectedRun {
    /// Reads the first tokens alone.
    func readUp(to end: Int) throws(Problem) {
        try work.run { () throws(Problem) in
            while state.readCount < end {
                try advance(chunk(from: state.readCount, to: end), isCancelled: { false }, inspect: { _, _ in })
            }
        }
    }
}

extension AttentionAtlas {
    /// Returns cells with numbers derived from their positions, as large as those of a text of `count` tokens.
    static func sample(
        layers: Int, heads: Int, tokens: Int, cellBudget: Int
    ) throws(Problem) -> AttentionAtlas {
        var atlas = AttentionAtlas(
            AttentionLayout(
                layers: layers, heads: heads, kvHeads: heads, keyWidth: 64,
                windows: Array(repeating: nil, count: layers)))
        atlas.dropFinestLevels(tokens: tokens, within: cellBudget)
        for index in atlas.levels.indices {
            try atlas.levels[index].grow(atlas.layout, from: 0, to: tokens)
            for row in atlas.levels[index].rows {
                for number in 0..<row.cells.count { row.cells.pointer[number] = Float(number % 97) / 97 }
            }
        }
        atlas.length = tokens
        return atlas
    }
}
