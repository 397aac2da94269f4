internal import Glibc

/// How the features that a toy model represents lie to one another.
public enum SuperpositionGeometry: Hashable, Sendable {
    /// Features at right angles to all others.
    case orthogonal(Int)
    /// Pairs that point in opposite directions, at right angles to all others.
    case antipodal(pairs: Int)
    /// The corners of a regular polygon in a plane.
    case polygon(Int)
    /// Features in an irregular arrangement.
    case mixed(Int)

    /// - Parameter directions: Of the represented features, all of one width; lengths do not count.
    public init(_ directions: [[Double]]) {
        let units = directions.map { direction in
            let norm = SuperpositionModel.product(direction, direction).squareRoot()
            return direction.map { $0 / max(norm, 1e-12) }
        }
        let count = units.count
        let cosines = units.enumerated().map { i, a in
            units.indices.filter { $0 != i }.map { SuperpositionModel.product(a, units[$0]) }
        }
        func isRight(_ cosine: Double) -> Bool { abs(cosine) < 0.2 }
        if cosines.allSatisfy({ $0.allSatisfy(isRight) }) {
            self = .orthogonal(count)
        } else if cosines.allSatisfy({ row in
            row.count { $0 < -0.95 } == 1 && row.count(where: isRight) == row.count - 1
        }) {
            self = .antipodal(pairs: count / 2)
        } else if Self.isPolygon(units) {
            self = .polygon(count)
        } else {
            self = .mixed(count)
        }
    }

    /// "two antipodal pairs", "pentagon".
    public var name: String {
        let numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"]
        func word(_ count: Int) -> String { numbers.indices.contains(count) ? numbers[count] : "\(count)" }
        switch self {
        case .orthogonal(let count): return "\(word(count)) orthogonal"
        case .antipodal(let pairs): return "\(word(pairs)) antipodal pair\(pairs == 1 ? "" : "s")"
        case .polygon(let corners):
            let names = [3: "triangle", 4: "square", 5: "pentagon", 6: "hexagon", 7: "heptagon", 8: "octagon"]
            return names[corners] ?? "regular polygon of \(corners)"
        case .mixed(let count): return "\(word(count)) in an irregular arrangement"
        }
    }

    /// Whether directions in two dimensions have equal angles between them, within a sixth of an angle.
    private static func isPolygon(_ units: [[Double]]) -> Bool {
        guard units.count >= 3, units.allSatisfy({ $0.count == 2 }) else { return false }
        let angles = units.map { atan2($0[1], $0[0]) }.sorted()
        let even = 2 * Double.pi / Double(units.count)
        return angles.indices.allSatisfy { i in
            let next = i + 1 < angles.count ? angles[i + 1] : angles[0] + 2 * .pi
            return abs(next - angles[i] - even) < even / 6
        }
    }
}
