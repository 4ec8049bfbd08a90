// Play games on the GPU: one per thread, each with its own generator, for a number of draws.
//
// Compile-time settings besides those of draws.cuh: SHARED, SQUARES, LEAST, BESIDE. The result does
// not depend on the grid: a game's dice depend on its number only.

// The draws whose money is added up in 32 bits: an outcome's money has at most 32 - STATE_BITS bits.
#define STRETCH (NARROW ? 65536u : (1u << STATE_BITS))

extern "C" __global__ void __launch_bounds__(1024, BESIDE)
play(const Cell *__restrict__ cells, const u64 *__restrict__ rests,
                                u32 size, u32 games, u32 longer, u32 draws, uint4 *streams,
                                u32 *states, long long *nets, u64 *squares) {
    LOAD_TABLE;
    for (u32 game = blockIdx.x * blockDim.x + threadIdx.x; game < games;
         game += gridDim.x * blockDim.x) {
        uint4 s = streams[game];
        u32 state = states[game];
        u32 left = draws + (game < longer);
        long long net = (long long)LEAST * left;
        u64 square = 0;
        while (left) {
            u32 now = left < STRETCH ? left : STRETCH;
            left -= now;
            u32 sum = 0;
            for (u32 i = 0; i < now; i++) {
                u32 out = drawn(table, rests, state, s);
                sum += out >> STATE_BITS;
                state = out & STATES;
#if SQUARES
                long long change = (long long)(out >> STATE_BITS) + LEAST;
                square += (u64)(change * change);
#endif
            }
            net += sum;
        }
        streams[game] = s;
        states[game] = state;
        nets[game] += net;
#if SQUARES
        squares[game] += square;
#endif
    }
}
