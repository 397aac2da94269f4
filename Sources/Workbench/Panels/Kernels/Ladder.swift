internal import KernelLab
internal import Kernels

/// The rungs of an operation with what was measured of them.
struct Ladder: Sendable {
    var rungs: [Rung]
    /// The roof of the run: its own ceilings, measured with it; else those of the machine.
    var roofline: Roofline?
    /// What holds of the whole run: `2 threads, data in L2, load 0.3`.
    var circumstances: [String] = []
    /// What its rungs are held against; nil where nothing is.
    var reference: String? = "the float64 reference"
    /// Why its figures cannot be trusted; nil where they can.
    var doubt: String?

    struct Rung: Sendable {
        var name: String
        var idea: String
        var state: State
        /// Slower than before by more than noise explains.
        var regression: String?
        var point: RooflinePoint?
    }

    enum State: Sendable {
        case measured(Figures)
        case notYet
        /// Why it did not run, or why it is not trusted.
        case refused(String, isFault: Bool)
    }

    /// What was measured of one rung.
    struct Figures: Sendable {
        /// Operations a second, the median.
        var rate: Double
        var bestRate: Double
        /// Bytes a second of the cost model.
        var bandwidth: Double
        var intensity: Double
        /// Of what the roof allows at this intensity.
        var share: Double
        /// Of the peak; nil where it was not kept.
        var peakShare: Double?
        /// The middle four fifths of the share.
        var spread: ClosedRange<Double>
        /// How many times as fast as the library; nil where there is none.
        var toLibrary: Double?
        var samples: Int
        /// Error in units of the allowed one; nil where it was not kept.
        var error: String?
    }

    /// The rung to stand on first: the fastest measured one that is ours.
    var best: Int? {
        rungs.indices.filter { figures($0) != nil && rungs[$0].name != KernelReport.libraryName }.max {
            (figures($0)?.share ?? -1) < (figures($1)?.share ?? -1)
        }
    }

    func figures(_ rung: Int) -> Figures? {
        guard rungs.indices.contains(rung), case .measured(let figures) = rungs[rung].state else { return nil }
        return figures
    }

    /// The ladder of an operation that was never measured.
    init(_ operation: KernelOperation) {
        rungs = operation.variants.map { variant in
            Rung(
                name: variant.name, idea: variant.idea,
                state: variant.unavailable.map { .refused($0, isFault: false) } ?? .notYet)
        }
    }

    init(rungs: [Rung]) { self.rungs = rungs }
}
