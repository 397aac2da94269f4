public import Models
public import System
public import Tensors

extension SteeringVector {
    /// h += c·v at the chosen positions; of several rows each at its own, from the first chosen position on.
    ///
    /// - Parameter multiple: Multiple of the unit.
    public func adding(
        _ multiple: Float, at positions: PositionSelection = .all
    ) throws(Problem) -> [Intervention<Float>] {
        let c = coefficient(multiple)
        guard positionCount > 1 else {
            return [Intervention(hook, at: positions, .add(try direction(), times: c))]
        }
        var changes: [Intervention<Float>] = []
        for index in 0..<positionCount where positions.contains(positions.first + index) {
            let row = try telling { try rows[index] }
            changes.append(Intervention(hook, at: .only(positions.first + index), .add(row, times: c)))
        }
        return changes
    }

    /// h − (h·v̂)v̂ + c·v̂: the component along the direction becomes that of a multiple of the unit, whatever it was.
    public func setting(
        _ multiple: Float, at positions: PositionSelection = .all
    ) throws(Problem) -> [Intervention<Float>] {
        let component = coefficient(multiple) * norm
        return [Intervention(hook, at: positions, .setComponent(along: try direction(), to: component))]
    }

    /// h − (h·v̂)v̂ wherever the stream is seen in the whole model: nothing can be written along the direction.
    ///
    /// - Parameter hooks: Hooks of the model.
    /// - Source: Arditi et al., "Refusal in language models is mediated by a single direction", 2024, section 2.4.
    public func ablating(
        among hooks: [Hook], at positions: PositionSelection = .all
    ) throws(Problem) -> [Intervention<Float>] {
        let direction = try direction()
        return hooks.filter(\.isResidualStream).map {
            Intervention($0, at: positions, .project(out: direction))
        }
    }
}

extension Hook {
    /// The stream between parts: before a block, in its middle, after it.
    var isResidualStream: Bool {
        switch self {
        case .residualPre, .residualMid, .residualPost: true
        default: false
        }
    }
}

extension PositionSelection {
    /// The first position that it can contain.
    var first: Int {
        switch self {
        case .all: 0
        case .only(let one), .from(let one): one
        case .range(let range): range.lowerBound
        }
    }
}
