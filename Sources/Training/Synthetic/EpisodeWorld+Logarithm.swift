private import Glibc

extension EpisodeWorld {
    static func logarithm(_ value: Double) -> Double { log(value) }
}

extension EvaluationSet {
    static func exponential(_ value: Double) -> Double { exp(value) }
}
