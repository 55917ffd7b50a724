vdnn-profile 2
key NVIDIA H200, CUDA 13.0, driver 13.0, capability 9.0, cuBLAS 130100, cuDNN 91900, 1 threads
device cuda nchw fused 1 150109880320 149425356800 107489977952
rate copy_both_bytes_per_second 100776171427.32812
rate copy_in_beside_bytes_per_second 54858577436.231293
rate copy_in_bytes_per_second 55255098531.893356
rate copy_in_slows_moves 1.102968389011866
rate copy_in_slows_products 1
rate copy_latency_seconds 2.7839988470077534e-06
rate copy_out_beside_bytes_per_second 54790738891.917641
rate copy_out_bytes_per_second 55483146523.103859
rate copy_out_slows_moves 1.0183623132163588
rate copy_out_slows_products 1
rate elementwise_bytes_per_second 4163432033691.0166
rate launch_seconds 3.2584993168711648e-06
row add()x=192x1024x14x14:bf16:nchw+192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=11;needs=0,0;relu forward native 192 5.5685487575829042e-05 0
row add()x=192x1024x14x14:bf16:nchw+192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 3.6965516395866859e-05 0
row add()x=192x1024x14x14:bf16:nhwc+192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 5.5572993122041251e-05 0
row add()x=192x1024x14x14:bf16:nhwc+192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 3.6756998859345921e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0 forward native 192 2.7877506799995854e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0 backward_data native 192 1.8085506744682783e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0;relu forward native 192 2.8933492489159143e-05 0
row add()x=192x2048x7x7:bf16:nchw+192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 1.8085506744682783e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0 forward native 192 2.7796990238130124e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0 backward_data native 192 1.7813003621995438e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 2.7765012346208063e-05 0
row add()x=192x2048x7x7:bf16:nhwc+192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 1.7813003621995438e-05 0
row add()x=192x256x56x56:bf16:nchw+192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=11;needs=0,0;relu forward native 192 0.00021168550569564105 0
row add()x=192x256x56x56:bf16:nchw+192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 0.0001440375121310353 0
row add()x=192x256x56x56:bf16:nhwc+192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 0.0002111890083178878 0
row add()x=192x256x56x56:bf16:nhwc+192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 0.00014414901193231347 0
row add()x=192x512x28x28:bf16:nchw+192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=11;needs=0,0;relu forward native 192 0.00010822948534041647 0
row add()x=192x512x28x28:bf16:nchw+192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=11;needs=0,0;relu backward_data native 192 7.2933492250740523e-05 0
row add()x=192x512x28x28:bf16:nhwc+192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=11;needs=0,0;relu forward native 192 0.00010725299175828694 0
row add()x=192x512x28x28:bf16:nhwc+192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=11;needs=0,0;relu backward_data native 192 7.355702575296164e-05 0
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00019898149091750384 49152
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.0002761654825881123 49152
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.00011746100243180993 1228800
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00014408499654382467 1228800
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=13,0;relu forward native 192 5.7957497425377351e-05 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 8.5413512773811819e-05 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 5.7589001022279253e-05 604160
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 7.2180992923677012e-05 604160
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00017200550157576798 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.00023082151729613538 34816
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 0.0002271249955520034 2099200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x128x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00029528499301522971 2099200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=13,0 forward native 192 0.0001760374875739217 65536
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00022541349846869703 65536
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=13,0 forward native 192 6.606901343911883e-05 655360
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 8.6773014627397063e-05 655360
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=13,0;relu forward native 192 5.4085490293800847e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 6.8741497583687305e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 3.8261002860963363e-05 307200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 4.8532999120652649e-05 307200
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00010208549816161394 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.0001438454957678914 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 0.00010955700930207965 1208320
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00012853301223367453 1208320
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00028662952501326805 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00040230947453528645 36864
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.00034222898539155723 2101248
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00045355699118226764 2101248
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00010538151580840348 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.00014512550551444293 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 6.0756987892091243e-05 614400
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 8.3253002725541564e-05 614400
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00017750948388129474 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00025472551304846994 40960
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.0002271570032462478 2105344
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00029611698444932693 2105344
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=13,0;relu forward native 192 5.2677509374916552e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 6.0549494810402429e-05 24576
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 2.6740989647805692e-05 163840
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 3.3268994651734824e-05 163840
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=13,0 forward native 192 0.00028496551234275105 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=13,0 backward_data native 192 0.00039830949623137707 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=13,0 forward native 192 0.00033413300570100539 2098176
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=13,0 backward_data native 192 0.00044453296717256304 2098176
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=13,0;relu forward native 192 0.00010086947400122881 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=13,0;relu backward_data native 192 0.00013789349514991048 33792
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=13,0;relu forward native 192 0.00010811699088662867 1205248
row batchnorm(eps=1.0000000000000001e-05,momentum=0.10000000000000001,sync=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=13,0;relu backward_data native 192 0.00012715700920671225 1205248
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00074326950032263994 19791872 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00072499748785048723 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00014928549248725175 96862355
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0043914293916895988 664272896 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.011992357459850611 650510336 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0018553654821589593 624640
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00027363753039389847 2129920
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0018229814739897847 0
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00011235749442130328 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0044289976032450802 664272896 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011915045467205346 650510336 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0022097336919978268 724992 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00033789348322898149 3735552 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0022212215038016439 0
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013622948247939349 100532799
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0039677495630458005 664272896 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.010025221076793968 650510336 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018381497533991932 100352
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00040080550033599134 8028160
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011565381613560022 0
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0031282294960692522 33554432
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00094933295901864759 524288 brief
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.8484967313706876e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.9861000142991559e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.3556974492967137e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.4421003423631151e-05 524288
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.6693013273179514e-05 13107472
row conv(out=1024,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 3.3332980237901231e-05 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0014589174659922718 39583744 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0016209654482081531 1048576
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.0002654135199263692 232259731
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0025662457616999743 1249280
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00043930145818740134 4259840
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0046940854759886866 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00032154151517897842 232259731
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0027525179060176029 1449984
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0008240695269778371 7471104
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015760358390398323 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00026291754562407738 239600191
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.002247877803631127 200704
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00048957350570708502 9633792
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011030693379230797 0
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0057950777085497987 67108864
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0018434129124507311 1048576
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.5685010515153424e-05 1048707
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0014976209765300156 1249280 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00027749303635209806 4259840 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_all 192 0.00019986099656671283 39583744 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010478899534791707 1048707
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0020982607966288916 1249280 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00070021293219178912 4259840 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_all 192 0.00062843701895326379 39583744 brief
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 7.954100426286456e-05 8389167
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0015309332972392444 200704
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00028101298864930877 3211264
row conv(out=1024,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_all 192 0.00018846899922937157 38535168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0018287733765318991 308346880
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015633015306666493 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00011690148431807761 462487699
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.012626789418049155 916586496 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.023890469756908714 856719360 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0023920695455744863 1671168
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0012622455032542349 25755648
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0045968053014948966 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00012390950042754408 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.012389605370350181 916586496 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.023617316928692161 856719360 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0021867258222773678 3276800 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0011063415082171561 51445760 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0048185333283618098 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00014250144083052872 25231360
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.012458757606334983 916586496 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.022382085052318871 856719360 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0031848051222041246 1605632
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0017748534353449938 38535168 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16426868235785516 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0060238136919215333 4194304
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.001895861036144197 65536 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00011662898119539026 65808
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.00011749298032373188 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00013214901741594078 65667
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.00012824500259011983 65536
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013131699617952106 3474063
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.00011797300633043054 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00096502947527915247 154271744
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00077562147099524735 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 7.6421526260674069e-05 192807059
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0054662133129313598 460128256 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012428870406933129 434323456 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0018376376302912827 933888
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00064611747581511732 12976128
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0022735094698145986 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 5.7669487781822535e-05 131344
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0053154294164851311 460128256 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011911973205395042 434323456 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0016638772161677484 1736704 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00060384550411254163 25821184 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0023877494009211663 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010064550954848524 50462720
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0052921976717188951 460128256 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.01094438907224685 434323456 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0020582778127864001 802816
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00087715747673064459 16056320
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0422889650138095 0
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.002973477420397103 8388608
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0009357970124110579 131072 brief
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 5.4837024770677124e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 5.499700363725423e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 5.9093034826219143e-05 131344
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 5.944500025361781e-05 131072
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.6404984556138471e-05 8782096
row conv(out=128,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 5.445299204438927e-05 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016433015437796713 347111424 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015119734676554801 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00014710947591811419 77660307
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00042387750465422864 349470720 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0022779574068263172 137625600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0050193340452387939 125829120 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0026324851186946036 2101248
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0013423414500430227 29196288
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0037672376902773978 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00014490148145705469 77660307
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00041853347141295664 349470720 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0022481335075572135 137625600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0049147569807246336 125829120 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0020039417417719962 3907584
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00082192554790526634 58097664
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0040471736164763572 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00014458152372390031 85328551
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.00061933347303420308 349470720 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.002028965440578759 137625600 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0043848697813227769 125829120 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0028184058340266359 1806336
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0016805494697764518 32112640
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.040116261628456412 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0067556537063792358 18874368
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0019739408856257797 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.0292985998094055e-05 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0025918611651286477 2101248 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.0013491409784182908 29196288 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 6.9429016672074774e-05 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0020829328661784528 3907584 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00087755701597779987 58097664 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 7.8965014778077593e-05 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0025945805674418808 2396160
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.0013816850548610091 29491200
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016633335622027515 347111424 brief
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015781174870207906 294912
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00023453351575881243 193265811
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0026850292356684811 2101248
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0013496374757960437 29196288
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0039827893050387508 0
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00028995755035430182 193265811
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0030837814481928945 3907584
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0017916854294016957 58097664
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015050693240948022 0
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00023552548605948692 200934055
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.002864837375469506 1806336
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0016896055014804004 32112640
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.045258213040418924 0
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0075399736436083924 18874368
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0020441808765754104 294912
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.4389017187058914e-05 295043
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0026711248522624373 2101248 brief
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.0013580050235614182 29196288 brief
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010798898991197346 295043
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0028402132159098979 3907584
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0016407890086993578 58097664
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.5172987543046474e-05 8848039
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0026787408953532574 2396160
row conv(out=128,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x128x56x56:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.0014080210691317918 29491200
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00071578149218112243 11730944
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00069949350971728567 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 9.8053497262299077e-05 50266259
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0031867253454402086 449576960 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.010722405639477075 442695680 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0023872368009760976 2147328
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00049661349970847363 2899968
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0016779574723914266 0
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.0885487385094178e-05 50266259
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0034305333765223627 449576960 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011064293113537134 442695680 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0024465019376948469 2197504
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00069661345798522234 3702784
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0020947254868224265 0
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.688550908118486e-05 52363296
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0030450294883921742 449576960 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0089361650617793189 442695680 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018134777219966061 50176
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00027232548315078025 4014080
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0027800376089289784 0
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0028480054410174489 134217728 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0009104209607467055 2097152 brief
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.4804976545274272e-05 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.6468989215791214e-05 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.1220949254930082e-05 2097424
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.1412995420396321e-05 2097152
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.5349017940461626e-05 4194320
row conv(out=2048,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 3.0164993368089241e-05 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.001390533504076302 23461888
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0014702135296538472 4194304
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00018304550368338824 119799955
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0028857972295954818 4294656
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00091613349039107569 5799936
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0043116535516455777 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00020598950702697039 119799955
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0028230459364131095 4395008
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0011845815451815725 7405568
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015378469821996988 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00016854947526007889 123994144
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0022735416563227774 100352
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00034397348482161755 4816896
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0061156533928588041 0
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0057160054715350277 268435456 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0017907730704173445 4194304
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.4661002717912195e-05 4194435
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0015382293825969102 4294656 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00020926902350038305 5799936 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_all 192 0.0001291410094127059 23461888 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.5956987701356427e-05 4194435
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0019373005991801615 4294656 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00042786101158708326 5799936 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_all 192 0.00034437299426645038 23461888 brief
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 6.0437000356614583e-05 8388624
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0017603091364726429 100352
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00021864501293748621 1605632
row conv(out=2048,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_all 192 0.00011928499396890403 19267584
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00083418154437094917 77594624
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00076902946550399056 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00011226150114089247 96862355
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0044937653215602049 664272896 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012201574054546655 650510336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0023118779333308344 925696
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00054762148577719915 6946816
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0022133173914626243 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00015069350320845838 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0040918773086741573 664272896 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.010889317241497339 650510336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0017785331876948476 1327104 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00042701348382979634 13369344 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0019374454589560629 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013638949114829299 100532799
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0040313014658167967 664272896 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.010167685714550314 650510336 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.001972933498211205 401408
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0005137335332110524 8028160
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011572869685478509 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.003179333535023034 33554432
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00092667699512094255 524288 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.4132993780076552e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.4709013067185913e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.928498085588209e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.9956993423402312e-05 524288
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.8965023122727986e-05 12058896
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 3.7492997013032442e-05 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016052534552291036 154402816 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.001535557475872338 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 7.1749475784599849e-05 231473299
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0084854775341227651 892731392 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.020340614047832786 861765632 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0018974778326228251 1064960
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00067085352260619401 13107200
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.004524709519930184 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 8.6085525341332041e-05 262416
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0084208697946742163 892731392 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.020239718166179956 861765632 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0017303740652278069 1867776 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00064538153726607559 25952256 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0045772215398028502 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013005348760634656 100925440
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0083341494472697376 892731392 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.018162245956249535 861765632 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0021127731474116442 802816
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00097850146610289814 19267584
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.041832135078497236 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.005892645535059274 16777216
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0018492050832137467 262144 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.0645011030137563e-05 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 6.9620973430573941e-05 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 7.6116955839097529e-05 262416
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 7.6245016418397416e-05 262144
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 6.7444956861436385e-05 11796752
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x512x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 6.4148998819291581e-05 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00091034143883734933 77103104 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00092256551701575527 32768
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.0001032055886462331 385384595
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0081952693136408926 484900864 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.014975045886822044 435011584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0015093810232356185 434176
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00045171752292662857 6455296
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0026409653993323444 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.7317543812096256e-05 33040
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0087151093157008287 484900864 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.014383684840984644 435011584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0015227253111079341 835584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00041219743806868788 12877824 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0022371253939345477 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00011766943056136364 12615680
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0084554294021800171 484900864 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.013428134170360862 435011584 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0022367098005488515 401408
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0011457975776866078 32112640 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16444531532842666 0
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0052946933181956422 2097152
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0010726290410384537 32768 brief
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00012693298514932394 32899
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.00010958901699632405 32768
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.8965025506913651e-05 33040
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 9.8773009143769696e-05 32768
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010312501247972236 8487184
row conv(out=256,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.00010085300263017416 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016141815157607198 174587904 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015224055321887136 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00010883748251944783 40894611
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00041763752419501541 237109248 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.001660805550403893 152043520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0046347257765009999 144965632 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0032090613516047588 2082816
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0011153655024245383 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0034690936179831624 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010691749770194292 40894611
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00041040548402816057 237109248 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0016401976021006705 152043520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0045563575895503161 144965632 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0027797176511958235 2985984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0006813815506175161 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0040065017016604546 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00012397348601371049 47972959
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.00049306150991469612 237109248 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0016201334865763783 152043520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0041274931104853746 144965632 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0028989498289301997 903168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00090842148382216698 16056320
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.010807749328203499 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0061545654507353907 75497472 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0019411090081557631 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 6.8821019493043407e-05 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0022601164942607282 2082816 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00074398902710527182 15630336 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 6.7509002052247526e-05 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0019961489802226432 2985984 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00048187700565904378 30081024 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.6452997289598009e-05 11797087
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0019087885981425648 3262464
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00074552497919648899 16809984
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0016232695253565908 174587904 brief
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015752374799922111 1179648
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00015846949536353351 98697363
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0032642938764765859 2082816
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0011214455040171743 15630336
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.003905541357584297 0
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00018141349870711565 98697363
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0031733171613886947 2985984
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0013012535246089102 30081024
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015328997639007866 0
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00016739749629050496 105775711
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.002957157340832055 903168
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00091763749439269314 16056320
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011096293625421822 0
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0063485174747183919 75497472
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0020572049682959915 1179648
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.0805019699037063e-05 1179779
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0023322767382487645 2082816
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00075256506260484456 15630336
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 8.6389011703431602e-05 1179779
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.002182292378507554 2985984 brief
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00087323705013841383 30081024 brief
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.9269018732011333e-05 11797087
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0019804367190226916 3262464
row conv(out=256,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x256x28x28:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00075598905142396685 16809984
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0014907894404605033 78118912 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015134775312617421 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00018096551019698389 116654227
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.007628261652775109 1313865728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.020295558181591331 1297350656 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0025721971662715092 1449984
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00065142950136214497 7471104
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0044137334199622286 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00018240549881011248 116654227
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.007530757633037866 1313865728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.019912005630321802 1297350656 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0022830779226496807 1851392
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00051987746078521009 13893632
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.004171333369798959 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00017853352148085831 123994687
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.006930821147747338 1313865728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.016856581893749535 1297350656 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0023333813818171615 401408
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0005631094845011831 9633792
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.011516069111414253 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0059321977170184266 67108864
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.001831669039092958 1048576 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 5.8324969373643435e-05 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 5.9156990610063048e-05 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 6.1492986045777812e-05 1048707
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 6.3764995895326121e-05 1048576
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.6564963422715685e-05 17826064
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x1024x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 5.3845024667680296e-05 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00079405346233397717 38666240 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00083744552452117219 131072
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 5.6325462646782416e-05 192807059
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0053386934669688345 460128256 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012030052867718039 434323456 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0013620216520503158 331776
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00028272553998976943 3342336
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.00237933346349746 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 7.6517489738762374e-05 131344
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0053041976364329464 460128256 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.011898117271251975 434323456 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0014092852743342516 532480 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00024733349401503805 6553600 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0021865654857829214 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010029348451644184 50462720
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0052796536358073361 460128256 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.010823173728771507 434323456 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0016480376394465567 200704
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00064374950248748076 16056320
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.042119109478779143 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0030562294097617269 8388608
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0010015889769420029 131072 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 5.9477007947862156e-05 131344
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 5.8933026157319589e-05 131072
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 5.458096321672203e-05 131344
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 5.464500840753317e-05 131072
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.8421052061021315e-05 8782096
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x128x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 5.4196990095078963e-05 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00091350945550948393 40632320
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0009200694831088185 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 9.2389491386711566e-05 50266259
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0034437176855280993 449576960 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.012336709228344261 442695680 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0025225655706599356 2297856
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00076982947904616599 5308416
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0021879734667018054 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.7861510701477517e-05 50266259
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0033556854398921134 449576960 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.010473829475231469 442695680 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0022292849691584716 2498560
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00040298148710280661 8519680
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0019561654152348636 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 9.3189519830048085e-05 53412127
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0030624053152278068 449576960 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0089787900121882543 442695680 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018494774969294672 200704
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00032202145177870985 4014080
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0027483575465157631 0
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0028152695717290044 134217728 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0011988050406798721 2097152 brief
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 3.1892991624772589e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 3.1477010808885068e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 3.4388965927064411e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 3.6405003629624861e-05 2097152
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 3.3525026403367524e-05 18874640
row conv(out=512,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x2048x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 2.7669004164636113e-05 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0015567414732649922 77332480 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0016280374797061085 262144
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00045181348640471698 462684307
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0016403891714289781 663552
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00045750948507338753 6684672
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0047793976934626704 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00054074153024703266 462684307
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0021597816618159414 1064960
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00095130148250609638 13107200
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.016116709706373515 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00042426147777587181 466616959
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0018747889669612056 401408
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00083373358566313975 19267584
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.046307525929994882 0
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0064240376027300964 16777216
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0019107729559764265 262144
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 8.0309010110795481e-05 262275
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.001558549321256578 663552
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00042482093628495941 6684672
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_all 192 0.00034475699719041584 77332480
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00014568499382585287 262275
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0025212372904643426 663552 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0012683089738711715 6684672 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_all 192 0.001191637015901506 77332480 brief
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.6164987646043301e-05 4194927
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0017399567728862168 401408
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00043931702431291349 6422528
row conv(out=512,kernel=1x1,stride=2x2,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_all 192 0.00033122099097818142 77070336
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0018486133934929965 91422720 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0017321654679253698 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00010646950919181111 28704915
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00044262951333075761 155713536 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0015599095495417712 185204736 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0048360373647883537 180781056 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0033505971105769268 5170176
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0015517815621569754 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0036035255165770652 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010816551465541126 28704915
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00042339750844985242 155713536 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.001543717590160668 185204736 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0052985341222956776 180781056 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0035003897817805414 5621760
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00091494950372725736 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0041218295516446237 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.0001100215138867497 34996687
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.00041459750849753623 155713536 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0015401653917506337 185204736 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0041033975752070547 180781056 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0025671093137934801 451584
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00055085351783782256 8028160
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0071567414076998837 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0059959095390513546 301989888 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0024855249440297483 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 7.7780998311936865e-05 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0021792210703715691 5170176
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00047099701222032319 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 7.8165001235902325e-05 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0019385170107707383 5621760 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0003213969832286239 19169280 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.3221009932458361e-05 25166287
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0020094608431681987 9888768
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00047656498011201625 16662528
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0018517175884917381 91422720 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0020313654514029621 4718592
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00014518949110060934 57606291
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0034326135786250235 5170176
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0015593654187396173 11943936
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0042689336510375146 0
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00015462951082736249 57606291
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0036136052282527095 5621760
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0012044855328276754 19169280
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.015330821824260056 0
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00013658150751143694 63898063
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0026065337331965571 451584
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00056218144018203007 8028160
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.0084761013211682446 0
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0062867254735901957 301989888 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0026090450650081039 4718592
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 8.9109010063111779e-05 4718723
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0022330445414409034 5170176 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.00048312494810670613 11943936 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 9.3460983596742157e-05 4718723
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0018118929034098979 5621760 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.00051371703203767537 19169280 brief
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 8.6229003034532102e-05 25166287
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0020966295367106803 9888768
row conv(out=512,kernel=3x3,stride=2x2,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x512x14x14:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.00049038896616548304 16662528
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.001721477416343987 308314112
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0015306615205481649 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 9.7157505340874145e-05 385384595
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0086351099880412219 484900864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.014795014110393821 435011584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0023437816770747297 1638400
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0012123895557597279 25722880
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0023090934427455068 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010320546943694353 33040
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0082535410793498163 484900864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.014865893569774925 435011584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0021396214636042713 3244032 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0011016695173457266 51412992 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0025234614880755546 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00012000551540404559 12615952
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0083742774398997428 484900864 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.013781988826580344 435011584 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0031820537718012941 1605632
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0016061495812609793 32112640 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16535520118195565 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0052833972843363882 2097152
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0017457490330561995 32768 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 9.9125004373490865e-05 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 9.8677015863358943e-05 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00010914099868386984 32899
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.00010968501027673486 32768
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010302892979234459 8487184
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x256x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.00010037300642579795 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.00048813351709395649 77078528
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.00044368549901992085 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 4.1413453407585706e-05 154149011
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0029840374859049922 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0054570929678156976 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0014180857809260494 409600 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.00037632551509886975 6430720
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.00066880550701171155 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 4.4517484493553574e-05 8464
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0029833973320201037 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0054187252195552005 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0013858620794489972 811008 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.00033949348051100974 12853248
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.00061872550565749405 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 5.8853474445641086e-05 3154192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0029344696672633295 131203072 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0049751412542536864 111247360 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0021262457044795157 401408
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.00063027748186141258 12845056 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.16634522506315264 0
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.0054185972781851891 524288
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.00047944501694291832 8192 brief
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 4.2101002298295467e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 4.2869008146226443e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 4.3477035127580204e-05 8464
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 4.3540990911424163e-05 8192
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 4.7540999017655929e-05 2122000
row conv(out=64,kernel=1x1,stride=1x1,pad=0x0,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 4.6164995990693586e-05 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 192 0.0032417974742129448 693706752 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 192 0.0029210934313014152 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 192 0.00023818149883300069 154288275
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 192 0.00062973352987319225 694296576 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 192 0.0033973496826365593 150405120
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 192 0.0059697010191157472 127549440 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 192 0.0036761653097346423 3686400
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 192 0.0026569974096491934 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 192 0.0038241333933547142 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00025168546754866827 154288275
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 192 0.00065971746761351821 694296576 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 192 0.0033821493061259389 150405120 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 192 0.0059264371069148178 127549440 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 0.0025167095335200426 7299072
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 192 0.0014452855261042714 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 192 0.0039897974701598293 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00023670950252562754 156205735
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 192 0.0016427573831751942 694296576 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 192 0.0033440377386286853 150405120
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 192 0.0054300853880122303 127549440
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 0.0046453497083857659 3612672
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 192 0.0032409974010661246 64225280
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 192 0.15551242679078134 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 192 0.010297221538610757 4718592
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 192 0.0037600848143920307 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 192 9.9764979444444185e-05 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 192 0.0036880525713786491 3686400 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 192 0.0026400210624560718 57876480 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 192 0.00011058101709932088 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 192 0.0028474454050883644 7299072 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 192 0.0016084050899371506 115679232 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 192 0.00010725299175828694 2212519
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 192 0.0042832535868510607 3760128
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=0)x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 192 0.0027084370022639635 57950208
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_gemm 192 0.017411334362812343 18944 brief
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_implicit 192 0.002249637451954186 18944
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward cudnn_precomputed 192 0.0018698933990672231 462491152
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward gemm 192 0.00460749360639602 3706880
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward gemm_16 192 0.0034774133833125232 59025920
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 forward implicit 192 0.0041359733017161497 0
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter cudnn_precomputed 192 0.0013664694102481008 468612752
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter gemm 192 0.0067433654936030511 3687936
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter gemm_16 192 0.0051670455010607843 84697088
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter implicit 192 0.64770206126291308 0
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=0;needs=0,1 backward_filter implicit_parts 192 0.020680613574571908 1204224
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward cudnn_implicit 192 0.005857396966777742 50176
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward cudnn_precomputed 192 0.001298037028871477 50176
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc 192 0.0081316370135173198 9884672
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc_16 192 0.0072942288285121329 157402112
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter cudnn_precomputed 192 0.00068968499358743431 6322320
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc 192 0.0088114451533183435 9934848
row conv(out=64,kernel=7x7,stride=2x2,pad=3x3,dilation=1x1,groups=1,bias=0)x=192x3x224x224:bf16:nhwc8;y=192x64x112x112:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc_16 192 0.0072802448039874434 157452288
row convert()x=192x3x224x224:bf16:nchw;y=192x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 192 0.00011250100191682579 0
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 192 1.4725518412888034e-05 4096000
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 192 0.00025261352676898244 0
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 192 9.7015174105763174e-06 4096000
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 192 9.6389499492943305e-05 0
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 192 1.2645495124161231e-05 4000
row fc(out=1000,bias=1)x=192x2048x1x1:bf16:nchw;y=192x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 192 6.0293507762253291e-05 4000 brief
row global_avgpool()x=192x2048x7x7:bf16:nchw;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 forward native 192 1.466148812323809e-05 0
row global_avgpool()x=192x2048x7x7:bf16:nchw;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 backward_data native 192 5.3893503732979314e-05 0
row global_avgpool()x=192x2048x7x7:bf16:nhwc;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 forward native 192 1.330099161714311e-05 0
row global_avgpool()x=192x2048x7x7:bf16:nhwc;y=192x2048x1x1:bf16:nchw;dx=1;needs=0,0 backward_data native 192 5.4164997301995759e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=8,0 forward native 192 0.00045318951923400161 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=8,0 backward_data native 192 0.0012081654639914633 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 192 0.0001880210107192397 0
row maxpool(kernel=3x3,stride=2x2,pad=1x1,ceil=0)x=192x64x112x112:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 192 0.00037378100212663416 0
row relu()x=192x1024x14x14:bf16:nchw;y=192x1024x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.4853496141731768e-05 0
row relu()x=192x1024x14x14:bf16:nhwc;y=192x1024x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.499700363725423e-05 0
row relu()x=192x128x28x28:bf16:nchw;y=192x128x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 2.6725498028099581e-05 0
row relu()x=192x128x28x28:bf16:nhwc;y=192x128x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 2.6708996854722489e-05 0
row relu()x=192x128x56x56:bf16:nchw;y=192x128x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010726949293166398 0
row relu()x=192x128x56x56:bf16:nhwc;y=192x128x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010709298308938739 0
row relu()x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 2.8325495310127722e-05 0
row relu()x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=8,0;in_place forward native 192 1.6965505667030801e-05 0
row relu()x=192x2048x7x7:bf16:nchw;y=192x2048x7x7:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 192 1.7285493202507516e-05 0
row relu()x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 2.693299110978845e-05 0
row relu()x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=8,0;in_place forward native 192 1.6916996799409363e-05 0
row relu()x=192x2048x7x7:bf16:nhwc;y=192x2048x7x7:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 192 1.7685002647340339e-05 0
row relu()x=192x256x14x14:bf16:nchw;y=192x256x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 1.1077520437538633e-05 0
row relu()x=192x256x14x14:bf16:nhwc;y=192x256x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 1.0901010595262041e-05 0
row relu()x=192x256x28x28:bf16:nchw;y=192x256x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.4789510555565361e-05 0
row relu()x=192x256x28x28:bf16:nhwc;y=192x256x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.4580993019044423e-05 0
row relu()x=192x256x56x56:bf16:nchw;y=192x256x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 0.00021133351046591999 0
row relu()x=192x256x56x56:bf16:nhwc;y=192x256x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 0.00021166900452226396 0
row relu()x=192x512x14x14:bf16:nchw;y=192x512x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 2.6789513416588327e-05 0
row relu()x=192x512x14x14:bf16:nhwc;y=192x512x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 2.6836997829377642e-05 0
row relu()x=192x512x28x28:bf16:nchw;y=192x512x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010701349098235368 0
row relu()x=192x512x28x28:bf16:nhwc;y=192x512x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 0.00010667700227349997 0
row relu()x=192x512x7x7:bf16:nchw;y=192x512x7x7:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.9574814513325459e-06 0
row relu()x=192x512x7x7:bf16:nhwc;y=192x512x7x7:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.685008130967649e-06 0
row relu()x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=8,0;in_place forward native 192 0.00016246950346976517 0
row relu()x=192x64x112x112:bf16:nchw;y=192x64x112x112:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 192 0.00015875750500708816 0
row relu()x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 192 0.00016206899937242267 0
row relu()x=192x64x112x112:bf16:nhwc;y=192x64x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 192 0.00015870902594178912 0
row relu()x=192x64x56x56:bf16:nchw;y=192x64x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 192 5.4821488447487368e-05 0
row relu()x=192x64x56x56:bf16:nhwc;y=192x64x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 192 5.5188990198075791e-05 0
row softmax_loss()x=192x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 192 7.0135118439793714e-06 4608
row softmax_loss()x=192x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 192 1.0935040190816075e-06 0
end 764
