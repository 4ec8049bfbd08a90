// Games on a card: one a thread, from its own generator, for so many draws of an alias table.
//
// Set when it is compiled: COLUMN_BITS, STATE_BITS, WHOLE, NARROW, SHARED, SQUARES, LEAST,
// BESIDE.
// The generator is xoshiro128++ (Blackman and Vigna). A cell is (cut, first out, second out): see
// alias.py, whose tables these are. Nothing depends on the grid: a game is its number's.

typedef unsigned int u32;
typedef unsigned long long u64;

#define BELOW (32 - COLUMN_BITS)
#define MASK ((1u << BELOW) - 1u)
#define STATES ((1u << STATE_BITS) - 1u)
// Draws whose money is added up in 32 bits: an out has at most 32 - STATE_BITS of them.
#define STRETCH (NARROW ? 65536u : (1u << STATE_BITS))

#if NARROW
typedef uint2 Cell;
__device__ __forceinline__ u32 first_of(Cell cell) { return cell.y & 0xffffu; }
__device__ __forceinline__ u32 second_of(Cell cell) { return cell.y >> 16; }
#else
typedef uint4 Cell;
__device__ __forceinline__ u32 first_of(Cell cell) { return cell.y; }
__device__ __forceinline__ u32 second_of(Cell cell) { return cell.z; }
#endif

__device__ __forceinline__ u32 spin(u32 word, int by) { return (word << by) | (word >> (32 - by)); }

__device__ __forceinline__ u32 draw(uint4 &s) {
    u32 bits = spin(s.x + s.w, 7) + s.x;
    u32 shifted = s.y << 9;
    s.z ^= s.x;
    s.w ^= s.y;
    s.y ^= s.z;
    s.x ^= s.w;
    s.z ^= shifted;
    s.w = spin(s.w, 11);
    return bits;
}

// Whether one of WHOLE chances is below the rest: Lemire's multiplication, thrown again in the
// cases that would favour some.
__device__ __forceinline__ bool decide(u64 rest, uint4 &s) {
    const u64 uneven = (0 - (u64)WHOLE) % WHOLE;  // 2 ** 64 mod WHOLE
    u64 bits;
    do {
        bits = (u64)draw(s) << 32;
        bits |= draw(s);
    } while (bits * WHOLE < uneven);
    return __umul64hi(bits, WHOLE) < rest;
}

extern "C" __global__ void __launch_bounds__(1024, BESIDE)
play(const Cell *__restrict__ cells, const u64 *__restrict__ rests,
                                u32 size, u32 games, u32 longer, u32 draws, uint4 *streams,
                                u32 *states, long long *nets, u64 *squares) {
#if SHARED
    extern __shared__ Cell table[];
    for (u32 at = threadIdx.x; at < size; at += blockDim.x) table[at] = cells[at];
    __syncthreads();
#else
    const Cell *__restrict__ table = cells;
#endif
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
                u32 bits = draw(s);
                u32 at = (state << COLUMN_BITS) | (bits >> BELOW);
                Cell cell = table[at];
                u32 below = bits & MASK;
                u32 out = below < cell.x ? first_of(cell) : second_of(cell);
                if (below == cell.x && decide(rests[at], s)) out = first_of(cell);
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
