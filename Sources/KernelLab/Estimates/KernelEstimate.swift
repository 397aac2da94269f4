internal import Formatting
public import System

/// What training and serving a model cost, by the formulas that one would use on paper.
///
/// ```swift
/// var request = EstimateRequest(model: llama)
/// request.use(DeviceCatalog.builtIn.peaks(for: "H100")!)
/// for group in try KernelEstimate(request).groups { print(group.title) }
/// ```
public struct KernelEstimate: Hashable, Sendable {
    public var request: EstimateRequest
    public var groups: [Group]

    /// Lines that belong together.
    public struct Group: Hashable, Sendable {
        public var title: String
        public var lines: [EstimateLine]

        public init(title: String, lines: [EstimateLine]) {
            self.title = title
            self.lines = lines
        }
    }

    /// Works everything out; times and rates only where a peak and a bandwidth are given.
    public init(_ request: EstimateRequest) throws(Problem) {
        if let problem = request.problem { throw Problem(.invalid, "", problem) }
        self.request = request
        groups = [
            Group(title: "training", lines: Self.training(request)),
            Group(title: "training memory per device", lines: Self.trainingMemory(request)),
            Group(title: "serving", lines: Self.serving(request)),
        ]
    }

    /// A line by its name; nil if it was left out.
    public func line(_ name: String) -> EstimateLine? {
        for group in groups {
            if let line = group.lines.first(where: { $0.name == name }) { return line }
        }
        return nil
    }

    static func number(_ value: Double) -> String { Format.factor(value) }
    static func number(_ value: Int) -> String { Format.factor(Double(value)) }
}
