internal import KernelLab
internal import Kernels

/// The rungs of an operation with what was measured of them.
struct Ladder: Sendable {
    var rungs: [Rung]
    /// Conditions of the whole run: `2 threads`, `data in L2`.
    var circumstances: [String] = []
    /// Reference that the results are checked against; `nil` if there is none.
    var reference: String? = "the float64 reference"
    /// Why the figures cannot be trusted; `nil` if they can.
    var doubt: String?
    /// The machine that recorded the figures; `nil` for this machine.
    var machine: String?
    /// Another machine whose figures are hidden in favor of this machine's figures; `nil` if there is none.
    var hidden: String?

    struct Rung: Sendable {
        var name: String
        var idea: String
        var state: State
        /// Number of threads for the next measurement.
        var threads: Int
        /// Slower than before by more than noise explains.
        var regression: String?
        /// Whether the figures are of an older version of the source.
        var isOutdated = false
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
        /// Share of the roof at this intensity; `nil` if the ceiling for its threads was not measured.
        var share: RoofShare?
        /// Share of the peak; `nil` if it was not saved.
        var ofPeak: RoofShare?
        /// Speed relative to the library; `nil` without a library.
        var toLibrary: Double?
        var samples: Int
        /// Error in units of the allowed error; `nil` if it was not saved.
        var error: String?

        /// Range of rates that holds most samples, at the clock rate of the median.
        var rates: ClosedRange<Double> {
            guard let share, share.median > 0 else { return rate...rate }
            return rate * share.low / share.median...rate * share.high / share.median
        }
    }

    /// The rung to stand on first: the fastest measured one that is ours.
    var best: Int? {
        rungs.indices.filter { figures($0) != nil && rungs[$0].name != KernelReport.libraryName }
            .max { speed($0) < speed($1) }
    }

    private func speed(_ rung: Int) -> (Double, Double) { figures(rung).map { ($0.rate, $0.bandwidth) } ?? (-1, -1) }

    func figures(_ rung: Int) -> Figures? {
        guard rungs.indices.contains(rung), case .measured(let figures) = rungs[rung].state else { return nil }
        return figures
    }

    /// The rung's letter on the roofline.
    static func letter(_ rung: Int) -> Character {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return letters[rung % letters.count]
    }

    /// The processor of the recording machine, without caches and memory: `AMD EPYC`; `nil` for this machine.
    var processor: String? { machine.map(Machine.processor(of:)) }

    /// Whether rungs use different numbers of threads.
    var mixesThreads: Bool { Set(rungs.map(\.threads)).count > 1 }

    /// The ladder of an operation that was never measured.
    init(_ operation: KernelOperation, threads: Int) {
        rungs = operation.variants.map { variant in
            Rung(
                name: variant.name, idea: variant.idea,
                state: variant.unavailable.map { .refused($0, isFault: false) } ?? .notYet,
                threads: variant.isParallel ? threads : 1)
        }
    }

    init(rungs: [Rung]) { self.rungs = rungs }
}
