// Play sessions on the GPU: each thread plays one after another, roll by roll.
//
// Compile-time settings besides those of draws.cuh: SHARED, LEAST, BESIDE. Worths are levels: units
// of money from the bankroll. Each checkpoint counts ``width`` levels from ``lowest`` up. Before each
// roll, and once more after the last, a session ends in this order of tests: worth at the goal, worth
// at the floor, worth below the state's need, last roll made.

enum End { RUINED, GOAL, STOPPED, PLAYED, ENDS };

extern "C" __global__ void __launch_bounds__(1024, BESIDE)
sit(const Cell *__restrict__ cells, const u64 *__restrict__ rests, u32 size,
    const int *__restrict__ needs, const u32 *__restrict__ kinds, const u32 *__restrict__ marks,
    int goal, int floor, u32 start, int lowest, u32 width, u32 kind_count, u32 looks, u64 run, u64 first, u32 trials, u64 *worths, u64 *left, u64 *ruined, u64 *ended, u64 *sums) {
    LOAD_TABLE;
    u32 counts[ENDS] = {0, 0, 0, 0};
    u64 rolls = 0, rolls_squared = 0;
    long long highs = 0, lows = 0;
    const u32 apart = gridDim.x * blockDim.x;
    u32 trial = blockIdx.x * blockDim.x + threadIdx.x;
    uint4 s = make_uint4(0, 0, 0, 0);
    u32 state = start, rolled = 0, look = 0;
    int worth = 0, high = 0, low = 0;
    if (trial < trials) s = stream_of(run, first + trial);
    while (trial < trials) {
        int end = -1;
        if (worth >= goal) end = GOAL;
        else if (worth <= floor) end = STOPPED;
        else if (worth < needs[state]) end = RUINED;
        else if (look == looks) end = PLAYED;
        if (end < 0) {
            u32 out = drawn(table, rests, state, s);
            worth += (int)(out >> STATE_BITS) + LEAST;
            state = out & STATES;
            high = max(high, worth);
            low = min(low, worth);
            if (++rolled < marks[look]) continue;
        }
        // Count the worth at a checkpoint; an ended session once, for all checkpoints from here on.
        u64 cell = ((u64)look * kind_count + kinds[state]) * width + (worth - lowest);
        if (end < 0) {
            atomicAdd(worths + cell, 1ull);
            look++;
            continue;
        }
        if (look < looks) atomicAdd(left + cell, 1ull);
        if (end == RUINED) {
            // Count the ruin at the first checkpoint at or after the last roll.
            u32 by = look;
            while (by > 0 && marks[by - 1] >= rolled) by--;
            atomicAdd(ruined + (rolled ? by + 1 : 0), 1ull);
        }
        counts[end]++;
        rolls += rolled;
        rolls_squared += (u64)rolled * rolled;
        highs += high;
        lows += low;
        trial += apart;
        if (trial < trials) s = stream_of(run, first + trial);
        state = start;
        rolled = look = 0;
        worth = high = low = 0;
    }
    for (u32 end = 0; end < ENDS; end++)
        if (counts[end]) atomicAdd(ended + end, (u64)counts[end]);
    atomicAdd(sums + 0, rolls);
    atomicAdd(sums + 1, rolls_squared);
    atomicAdd(sums + 2, (u64)highs);
    atomicAdd(sums + 3, (u64)lows);
}
