internal import System

/// The minimum of a smooth convex function of many numbers, from values and gradients alone.
///
/// L-BFGS: the last ten steps stand in for the second derivative. A step is halved until it goes down enough; near the
/// minimum, where values no longer tell points apart, until the slope along it has shrunk.
///
/// - Source: Nocedal and Wright, "Numerical optimization", 2006, algorithms 7.4 and 7.5; the rule near the minimum is
///   Hager and Zhang's, 2005, section 2.
struct QuasiNewton {
    /// |∂f/∂x|, the greatest of them, at which it ends.
    var tolerance: Double
    var maximumIterations: Int
    private let memory = 10

    init(tolerance: Double, maximumIterations: Int) {
        self.tolerance = tolerance
        self.maximumIterations = maximumIterations
    }

    struct Minimum {
        var place: [Double]
        var iterations: Int
        var isConverged: Bool
    }

    typealias Function = ([Double]) throws(Problem) -> (value: Double, gradient: [Double])

    func minimize(from start: [Double], _ function: Function) throws(Problem) -> Minimum {
        var place = start
        var (value, gradient) = try function(place)
        var steps: [(step: [Double], change: [Double], curvature: Double)] = []
        for iteration in 0..<maximumIterations {
            if Self.greatest(gradient) <= tolerance {
                return Minimum(place: place, iterations: iteration, isConverged: true)
            }
            var direction = Self.direction(gradient, steps)
            var slope = Self.dot(gradient, direction)
            if slope >= 0 {
                steps.removeAll()
                direction = gradient.map { -$0 }
                slope = -Self.dot(gradient, gradient)
            }
            let length = steps.isEmpty ? min(1, 1 / Self.greatest(gradient)) : 1
            guard let next = try line(place, value, direction, slope, length, function) else {
                return Minimum(place: place, iterations: iteration, isConverged: false)
            }
            let step = zip(next.place, place).map { $0 - $1 }
            let change = zip(next.gradient, gradient).map { $0 - $1 }
            let curvature = Self.dot(step, change)
            if curvature > 1e-12 * Self.dot(change, change).squareRoot() * Self.dot(step, step).squareRoot() {
                if steps.count == memory { steps.removeFirst() }
                steps.append((step, change, curvature))
            }
            (place, value, gradient) = next
        }
        return Minimum(
            place: place, iterations: maximumIterations, isConverged: Self.greatest(gradient) <= tolerance)
    }

    private typealias Point = (place: [Double], value: Double, gradient: [Double])

    /// Returns a step along the line; `nil` if no step decreases the loss, because the precision is exhausted.
    private func line(
        _ place: [Double], _ value: Double, _ direction: [Double], _ slope: Double, _ first: Double,
        _ function: Function
    ) throws(Problem) -> Point? {
        var length = first
        for _ in 0..<40 {
            let next = zip(place, direction).map { $0 + length * $1 }
            let (nextValue, gradient) = try function(next)
            let goesDown = nextValue <= value + 1e-4 * length * slope
            let isLevel =
                nextValue <= value + 1e-12 * abs(value) && abs(Self.dot(gradient, direction)) <= 0.9 * abs(slope)
            if goesDown || isLevel { return (next, nextValue, gradient) }
            length /= 2
        }
        return nil
    }

    /// −H g, H of the last steps (the two loops).
    private static func direction(
        _ gradient: [Double], _ steps: [(step: [Double], change: [Double], curvature: Double)]
    ) -> [Double] {
        var direction = gradient.map { -$0 }
        var shares = [Double](repeating: 0, count: steps.count)
        for (index, step) in steps.enumerated().reversed() {
            shares[index] = dot(step.step, direction) / step.curvature
            add(-shares[index], step.change, to: &direction)
        }
        if let last = steps.last {
            let scale = last.curvature / dot(last.change, last.change)
            for index in direction.indices { direction[index] *= scale }
        }
        for (index, step) in steps.enumerated() {
            add(shares[index] - dot(step.change, direction) / step.curvature, step.step, to: &direction)
        }
        return direction
    }

    private static func dot(_ a: [Double], _ b: [Double]) -> Double {
        var sum = 0.0
        for index in a.indices { sum += a[index] * b[index] }
        return sum
    }

    private static func add(_ scale: Double, _ a: [Double], to b: inout [Double]) {
        for index in a.indices { b[index] += scale * a[index] }
    }

    private static func greatest(_ a: [Double]) -> Double { a.reduce(0) { max($0, abs($1)) } }
}
