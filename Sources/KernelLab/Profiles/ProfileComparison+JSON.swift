public import JSON

extension ProfileComparison: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("before", before)
            json.member("after", after)
            json.member("seconds_before", secondsBefore)
            json.member("seconds_after", secondsAfter)
            json.member("speedup", speedup)
            json.member("matched_seconds_before", matchedSecondsBefore)
            json.member("matched_seconds_after", matchedSecondsAfter)
            json.member("matched_speedup", matchedSpeedup)
            json.member("kernels", kernels)
            json.member("pairs", pairs)
            json.member("only_before", onlyBefore.map(Unmatched.init))
            json.member("only_after", onlyAfter.map(Unmatched.init))
            json.member("sentences", sentences)
        }
    }
}

extension ProfileComparison.KernelChange: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("launches_before", launchesBefore)
            json.member("launches_after", launchesAfter)
            json.member("seconds_before", secondsBefore)
            json.member("seconds_after", secondsAfter)
            json.member("matched", matched)
            json.member("speedup", speedup)
        }
    }
}

extension ProfileComparison.LaunchPair: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("grid", ifPresent: after.grid)
            json.member("before", before.ordinal)
            json.member("after", after.ordinal)
            json.member("seconds_before", before.duration)
            json.member("seconds_after", after.duration)
            json.member("speedup", speedup)
        }
    }
}

/// A launch that has no partner.
private struct Unmatched: JSONRepresentable {
    let launch: Launch

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("ordinal", launch.ordinal)
            json.member("name", launch.name)
            json.member("grid", ifPresent: launch.grid)
            json.member("seconds", launch.duration)
        }
    }
}
